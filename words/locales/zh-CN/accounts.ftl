# 终端里的账户：您在服务器上是谁，以及密码、令牌和身份。

## 我是谁

whoami = { $name }，服务器 { $server }（{ $version }），身份 { $profile }，{ $count } 局进行中
whoami-scopes = 此令牌的权限：{ $scopes }。
whoami-guest = 您是访客，只在这台电脑上有效。用 grundy password 设置密码之后，可以在别处登录。
name-changed = 您现在的名字是 { $name }（以前是 { $before }）。
mute-on = 不再显示 { $name } 的话。
mute-off = 重新显示 { $name } 的话。
mute-none = 您没有屏蔽任何人。
mute-list = 您屏蔽了：{ $names }。

## 登录与退出登录

login-done = 您已在 { $server } 以 { $name } 登录。
login-codes-void = 您的恢复码已全部作废。生成新的：grundy password --recovery-codes
login-matches = 您有 { $count } 局未结束：grundy resume
logout-done = { $name } 已在 { $server } 退出登录。
logout-again = 再次登录：grundy login { $name }
logout-lost = { $name } 没有密码：退出后无法再以 { $name } 登录
logout-lost-how = 用 grundy password 设置密码，或者用 grundy logout --forget 放弃账户
signed-out = 您已退出登录：令牌已撤销或已过期
signed-out-as = 您在 { $server } 以 { $name } 的登录已失效：这台电脑的令牌已撤销或已过期
signed-out-how = 请重新登录：grundy login { $name }
signed-out-how-nobody = 请重新登录：grundy login 名字
not-signed-in = 您没有在 { $server } 登录
not-signed-in-how = grundy config path 显示身份存放在哪里；--profile 另选一个身份
account-where = { $version }，服务器 { $server }，身份 { $name }
account-new-address = { $address } 自称是您所知的服务器 { $known }；您的密钥不会送往您没有用过的地址
account-new-address-how = 如果是同一台服务器，请运行一次：grundy whoami --same-server --server { $address }
account-forgotten = 服务器 { $server } 不再认识 { $name }（它的数据可能已重置）。您现在是新的访客。以前的身份保存在 { $file }。
account-waits-for-file = 另一个 grundy 程序正在使用 { $file }，正在等待。按 Ctrl-C 停止等待。
account-replaced = 服务器 { $server } 不是认识 { $name } 的那一台：它是另一台服务器，或者丢失了数据。您在这里是新的访客；以前的身份仍然保留，以备那台服务器恢复。
account-name-how = 请在配置中另选名字：grundy config path 显示配置文件
account-no-secret = 服务器没有给访客密钥
account-not-bot = 这个令牌属于人：机器人是独立的选手
account-not-bot-how = 可以生成一个：grundy token create 名字 --bot --scope bot --to 文件
account-no-bot = 您的机器人没有在这台服务器上下过
account-no-bot-how = 请写明启动 grundy bot run 时所用的 --profile

## 密码

secret-password = 密码（不显示）：
secret-current = 当前密码（不显示）：
secret-new = 新密码（不显示）：
secret-code = 恢复码（不显示）：
secret-passphrase = 口令（不显示）：
secret-repeat = 请再输入一次：
secret-differs = 两次输入的不同；没有任何改变
secret-differs-how = 请再试
secret-no-terminal = 没有可以输入的终端；请用 { $flag } 文件
secret-no-terminal-how = 把它写入只有您能读取的文件，或从管道输入：{ $flag } -
secret-interrupted = 已中断
password-set = 密码已设置。在别的电脑上登录：grundy login { $name }
password-codes = 这些是您的恢复码。忘记密码时，用其中任何一个就能设置新密码：grundy recover { $name }。用过一个之后，全部作废。请抄写下来：以后不再显示。
admin-signed-out = { $name } 已在所有地方退出登录。
admin-codes = 用其中任何一个恢复码就能为 { $shown } 设置新密码，之后全部作废：grundy recover { $name }

## 令牌

token-token = 令牌
token-name = 名称
token-scopes = 权限
token-made = 生成
token-expires = 到期
token-used-by = 使用者
token-this = 这台电脑
token-codes = 还有 { $count } 个恢复码。
token-no-password = 您还没有密码：用 grundy password 设置。
token-in-file = 令牌 { $name } 已存入 { $file }。使用：grundy --token-file { $file }
token-keep = 请保存好：以后不再显示。用 grundy token revoke 撤销。
token-exists-how = 令牌已经生成：用 grundy token rotate 换一个
token-revoked = 令牌 { $name }（{ $prefix }）已撤销。
token-own = 这是这台电脑的令牌
token-own-how = 要撤销它：grundy logout
token-several = 有几个令牌都名为“{ $name }”
token-several-how = 请写明它的前几个字符：grundy token list 可以列出
token-none = 您没有这个名称或以此开头的令牌
token-none-how = grundy token list 列出您的令牌
token-bad = 文件中的令牌不认识、已撤销或已过期
token-bad-how = 可以另外生成：grundy token create 名字 --scope play --to 文件

## 密封的文件

identity-exported = 您的身份 { $name } 已密封存入 { $file }。在另一台电脑上：grundy identity import 文件
identity-imported = 您在这台电脑上也是 { $server } 的 { $name }。
identity-next = grundy whoami --server { $server } 向服务器核对。不再需要时请删除文件。
identity-passphrase = 口令至少要有 { $min } 个字符
identity-passphrase-how = 请用四五个互不相干的词
