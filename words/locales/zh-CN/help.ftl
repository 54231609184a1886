# 命令的帮助。英语的帮助写在程序里。消息名是命令，属性名是参数，以及参数的值；common 是多个命令共有的参数，epilogue 是参数之后的文字。

common =
    .record = 结束时把对局的记录写入这个文件
    .match_id = 对局
    .yes = 不先询问
    .side-first = 先手方
    .side-second = 后手方
    .side-random = 由随机决定
    .side-left = 蓝色一方
    .side-right = 红色一方
    .side = 轮到谁走（只在双方着法不同的游戏中有关系）
    .budget = 每个局面的限时
    .memory = 内存上限，以 MiB 计
    .local = 只看本机的对局库，不用服务器
    .source = 本机或服务器上的对局、记录文件（“-”为标准输入），或者初始局面及其着法
    .moves = 从这个局面起所走的着法
    .family = 只限这一类游戏：游戏的名字，或 sum
    .theme = 只限以这种想法取胜的谜题，它也是谜题的第一个提示：nim_sum、pairs、parity、splitting、mirror、misere_ending、coloured_edges 等
    .difficulty = 只限这一难度：easy、medium 或 hard
    .from = 从这个文件取谜题，它由 grundy puzzle make 写出
    .clock = 每位选手的时限：3m+2s、3+2（分和秒）、5m+d3s（延迟）、5m+b3s（Bronstein）、30s/move、3d/move、10m+3x30s（读秒），或 none
    .games = 依次下多少局，双方轮流先走：1，或不超过 1000 的偶数
    .cpu = 机器人的每个进程总共可用的处理器时间，以秒计（默认：不限）
    .files = 机器人的每个进程可打开的文件数
    .processes = 机器人的用户总共可有的进程数；root 不受此限（默认：不限）
    .pairs = 得 0、1/2、1、1 1/2 和 2 分的各有多少对
    .tournament = 赛事
    .name = 您在服务器上的名字
    .label = grundy token list 怎样称呼这台电脑（默认：它的名字）
    .to = 把令牌写入这个只有您能读取的文件，而不显示它
    .token = 它的名称，或者 grundy token list 所显示的开头几个字符
    .passphrase_file = 从这个文件的第一行读取口令；- 为标准输入
    .player = 选手：编号或名字
    .challenge = 挑战
    .skills = 两名选手：0 到 1 的水平、perfect、random、best，或 skill:0.7 这样的机器人
    .since = 只列出这一时间及以后创建的对局：日期，例如 2026-11-30（UTC）；时刻；或多久以前，例如 30d
    .until = 只列出这一时间以前创建的对局
    .no_accuracy = 不计算准确率：省去求解器的时间
    .position = 局面，例如 nim:3,5,7

grundy = 下、求解、解释和复盘 Nim 及其同类游戏
    .server = 要连接的服务器（默认：GRUNDY_SERVER、配置，或 http://127.0.0.1:7310）
    .ca = 用于 https：只信任这个 PEM 文件中的证书，不信任系统的证书（默认：GRUNDY_CA 或配置）
    .profile = 要使用的身份
    .token_file = 使用这个文件中的令牌而不用身份；文件须只有您能读取
    .json = 以 JSON 输出结果；错误是标准错误上的一行 JSON
    .plain = 只用句子，没有图形、二维码和走动的时钟
    .glyphs = 图形所用的字符：auto 在终端支持时使用 Unicode（默认：GRUNDY_GLYPHS 或 auto）
    .glyphs-auto = 区域设置为 UTF-8 且终端不是控制台时用 Unicode，否则用 ASCII
    .glyphs-unicode = Unicode，全屏各部分之间有线条，某些亚洲字体把它们画成两列宽
    .glyphs-safe = Unicode，只用在所有字体中都是一列宽的符号
    .glyphs-ascii = ASCII
    .screen = 怎样在终端显示对局：全屏，或逐行（默认：GRUNDY_SCREEN、配置，或 auto）
    .screen-auto = 标准输入和标准输出是支持全屏的终端时用全屏，否则逐行
    .screen-full = 全屏；终端不支持时，程序会说明并改用逐行
    .screen-lines = 逐行，带图形
    .lang = 句子的语言：en 或 zh-CN（默认：GRUNDY_LANG、配置，或区域设置）
    .color = 何时在图形、帮助和错误中使用颜色
    .color-auto = 在终端上，除非设置了 NO_COLOR
    .color-always = 总是
    .color-never = 从不
    .quiet = 只输出结果
    .verbose = 说明连接的情况
    .no_input = 从不询问，如同标准输入不是终端
    .config = 配置文件（默认：GRUNDY_CONFIG，或见 grundy config path）
    .timeout = 等待服务器应答多久（默认：10s）
    .epilogue =
        例：
          grundy                                  在终端显示菜单
          grundy play nim                         从 nim:3,5,7 开始与服务器的机器人对弈
          grundy play nim:3,5,7 --local           在本进程中下，不用服务器
          grundy play wythoff:5,8 --invite --clock 3+2
          grundy join KWQHRMTB                    坐上另一个座位，也可用链接
          grundy resume                           回到未结束的对局
          grundy solve nim:1,4,6,7 --json
          grundy review match.ndjson

        设置依次取自：选项；环境变量（GRUNDY_SERVER、GRUNDY_CA、GRUNDY_PROFILE、GRUNDY_NAME、GRUNDY_TIMEOUT、GRUNDY_TOKEN_FILE、GRUNDY_GLYPHS、GRUNDY_SCREEN、GRUNDY_LANG）；grundy config path 所显示的文件；默认值。

        退出码：
            0  成功；对局下完也算成功，不论谁胜
            1  下面没有列出的失败
            2  命令行或配置文件有错
            3  输入无效：局面、着法、记录或证书读不懂或不合规则
            4  没有找到：对局、加入码、游戏、文件
            5  服务器无法连接或没有应答（可再试）
            6  没有登录，或者没有权限
            7  暂时被拒绝：没有轮到您、座位已有人、对局已结束、请求太多（也许可再试）
            8  客户端与服务器的协议不同（请更新）
           10  答案为否：solve --expect、review --fail-on、verify、bot check
          130  被 Ctrl-C 中断

play = 与机器人或朋友对弈，在服务器上或在本机
    .position = 初始局面，例如 nim:3,5,7，或游戏名，例如 kayles，即从它的示例开始；有 --fair 时写游戏名（默认：列出游戏）
    .bot = 要对弈的机器人：beginner、casual、club、strong、perfect，或 grundy bot list 中的其他机器人（默认：club）
    .against = 要对弈的选手，用编号或名字，例如 grundy offers 中的机器人
    .open = 在大厅开一个空位，等人入座
    .anyone = 由服务器找对手；过一会儿也接受其他初始局面和时限
    .opponents = 有 --open 或 --anyone 时：谁可以做对手
    .opponents-all = 人和机器人
    .opponents-people = 只限人
    .opponents-bots = 只限机器人
    .widest = 有 --anyone 时：对手的条件可与您的相差多远（默认：near；没有指定初始局面时为 any）
    .widest-exact = 同样的初始局面和时限
    .widest-near = 同样的游戏，速度相同的时限
    .widest-any = 任何游戏和任何时限
    .side = 您执哪一方
    .side-first = 先走
    .side-second = 后走
    .rated = 下一对等级分对局：两局，双方轮流先走，有时限；与 --against、--invite、--open 或 --anyone 同用
    .fair = 选一个初始局面，使您（以这一概率找到必胜着法）与机器人的胜率相差不到 1 %
    .invite = 与用加入码加入的朋友对弈
    .local = 在本机下，不用服务器
    .two = 两名选手共用这个键盘
    .no_record = 不把对局存入本机的对局库
    .epilogue =
        例：
          grundy play nim:3,5,7                          与服务器的机器人对弈
          grundy play nim:3,5,7 --bot perfect --side first
          grundy play wythoff:5,8 --clock 3+2 --invite   与朋友对弈；每人 3 分，每步加 2 秒
          grundy play nim:3,5,7 --against Ada            与 grundy offers 中的机器人对弈，或向选手挑战
          grundy play nim:3,5,7 --against Ada --games 4  四局，双方轮流先走
          grundy play nim:3,5,7 --open                   在大厅等人入座
          grundy play --anyone                           由服务器找对手
          grundy play --anyone --clock 3+2 --rated       同上，下一对等级分对局：两局，双方轮流先走
          grundy play nim:3,5,7@misere --local           不需要服务器
          grundy play --fair 0.6 --bot skill:0.8         如果您 10 次中有 6 次找到必胜着法，这样的初始局面是公平的
          printf 'A-2\nmoves\n' | grundy play nim:3,5,7 --local

        输入着法，或者：help、moves、board、pre 着法、if A-1 B-2、hint、why、undo、clock、pause、adjourn、continue、draw、abort、accept、decline、say 文字、chat、mute、resign、quit。标准输入不是终端时，每一行都等到轮到您时才使用，输入结束后程序离开对局。有 --json 时，每个事件是标准输出上的一行。

join = 用加入码或链接加入对局
    .code = 朋友给您的八个字母的加入码，或同时指明服务器的链接
    .epilogue =
        例：
          grundy join KWQHRMTB
          grundy join https://grundy.example/j/KWQHRMTB

        加入自己的邀请，您就成为第二位访客，于是您的两个终端可以互相对弈。再次加入会回到这第二个座位。

challenge = 向在线的选手挑战
    .player = 选手：编号或名字
    .position = 初始局面，例如 nim:3,5,7
    .side = 您执哪一方
    .side-first = 先走
    .side-second = 后走
    .rated = 下一对等级分对局：两局，双方轮流先走，有时限
    .wait = 挑战保留多久：1 秒到 1 小时
    .epilogue =
        例：
          grundy challenge Ada nim:3,5,7
          grundy challenge Ada kayles:12 --clock 3m+2s --side first --wait 5m
          grundy challenge Ada kayles:12 --games 10
          grundy challenge Ada kayles:12 --clock 3m+2s --rated

        选手须在线并等待挑战：人用 grundy challenges，机器人用 grundy bot run --games。机器人的邀战会立即得到答复。

challenges = 等待挑战，并接受或拒绝
    .epilogue =
        例：
          grundy challenges                       等待，并显示每个挑战；按 Ctrl-C 结束
          grundy challenges accept Hc5Wd9JrTe
          grundy challenges decline Hc5Wd9JrTe --reason later

        它等待时，其他选手可以向您挑战。请在另一个终端接受或拒绝。
challenges-list = 列出您发出和收到的未决挑战
challenges-accept = 接受挑战并对弈
challenges-decline = 拒绝挑战
    .reason = 原因
    .reason-other = 没有原因
    .reason-later = 现在不下
    .reason-game = 不下这种游戏
    .reason-position = 不下这个初始局面
    .reason-too-fast = 时限太短
    .reason-too-slow = 时限太长
    .reason-untimed = 只下有时限的
    .reason-timed = 只下不限时的
    .reason-no-bots = 不与机器人下
    .reason-only-bots = 只与机器人下
    .reason-too-many-matches = 对局太多

offers = 列出自动接受挑战的选手，大多是机器人
    .game = 只列出下这种游戏的选手
    .limit = 最多列出多少个邀战
    .epilogue =
        例：
          grundy offers
          grundy offers --game kayles
          grundy play kayles:12 --against 名字

lobby = 列出正在找对手的选手，并与其中一位对弈
    .seek = 要坐的空位，用编号（默认：列出空位）
    .game = 只列出这种游戏的空位
    .limit = 最多列出多少个空位
    .epilogue =
        例：
          grundy lobby                      列出空位；在终端上可选一个入座，或观看对局
          grundy lobby --game kayles
          grundy lobby Tk8Ld4WnZe           坐上这个空位
          grundy play nim:3,5,7 --open      自己开一个空位
          grundy play --anyone              由服务器找对手

        坐上自己的空位，您就成为第二位访客，于是您的两个终端可以互相对弈。

rating = 显示选手的等级分，或其中一项的变化
    .player = 选手，用编号或名字（默认：您）
    .history = 列出这种游戏的等级分对局，或者 sum：由几种游戏组成的局面
    .before = 有 --history 时：只列出这一编号之前的
    .limit = 有 --history 时：最多列出多少对
    .svg = 有 --history 时：把所列各对的曲线作为图片写入这个文件
    .epilogue =
        例：
          grundy rating                        您的等级分，每种游戏一项
          grundy rating Ada
          grundy rating Ada --history nim      Ada 的 Nim 等级分对局，最近的在前
          grundy rating Ada --history nim --svg ada.svg

        等级分对局用 --rated 来下：从同一初始局面下两局，双方轮流先走。带问号的等级分是暂定的：对局太少，或者最近一对已过太久。

leaderboard = 按等级分列出一种游戏的选手
    .family = 游戏，例如 nim；或 sum：由几种游戏组成的局面
    .bots = 列出机器人，而不是人
    .provisional = 列出等级分为暂定的选手
    .after = 列出这一名次之后的选手，前一页会说明它
    .limit = 最多列出多少名选手
    .epilogue =
        例：
          grundy leaderboard nim
          grundy leaderboard nim --bots
          grundy leaderboard sum --provisional   由几种游戏组成的局面；等级分对局很少的选手

resume = 回到未结束的对局
    .match_id = 对局（默认：轮到您走的最近一局，否则是最近一局）
    .side = 两个座位都是您的时，坐哪一个（默认：没有连接的那个）
    .side-first = 先手方的
    .side-second = 后手方的
    .epilogue =
        例：
          grundy resume                 轮到您走的最近一局，否则是最近一局
          grundy resume 7Kq2mVx9Rt

        用 grundy play --local 下而没有下完的对局在本机继续：指定的那一局；如果您在服务器上没有进行中的对局，则是最近一局。

resign = 不打开对局而认输
    .match_id = 对局；grundy games list --mine --status live 列出您的对局（默认：您唯一进行中的对局）
    .epilogue =
        例：
          grundy resign 7Kq2mVx9Rt

abort = 撤销邀请，或在第二步之前提议取消对局
    .match_id = 对局；grundy games list --mine --status live 列出您的对局（默认：您唯一进行中的对局）
    .epilogue =
        例：
          grundy abort 7Kq2mVx9Rt

claim = 对方久不回来时判胜
    .match_id = 对局；grundy games list --mine --status live 列出您的对局（默认：您唯一进行中的对局）
    .epilogue =
        例：
          grundy claim 7Kq2mVx9Rt

        对方须在轮到对方走时离开一分钟（不限时的对局为十分钟），其间您在对局中：grundy resume 对局编号 在那里等待，可以判胜时会告诉您。

watch = 观看其他选手的对局
    .player = 依次观看这位选手的对局：编号或名字
    .tv = 观看最新的对局，结束后观看下一局
    .follow = 对局结束后，留下来看再来的一局
    .epilogue =
        例：
          grundy watch 7Kq2mVx9Rt
          grundy watch 7Kq2mVx9Rt --follow   并留下来看再来的一局
          grundy watch --player Ada          Ada 正在下的对局，以及下一局
          grundy watch --tv                  服务器上最新的对局，然后是下一局

        观看时，输入 say 文字 与其他观众交谈，输入 help 查看还可以输入什么。

review = 显示哪些着法丢掉了胜势，哪些能保住它
    .source = 本机或服务器上的对局、记录文件（“-”为标准输入），或者初始局面及其着法（默认：您最近下完的一局）
    .side = 只显示这一方的转折点
    .player = 同上，用选手的名字
    .ply = 只显示对局的这一步，并解释它和最佳着法
    .svg = 同时把胜势归属的图写成图片
    .html = 同时把复盘写成浏览器的网页，它不需要别的文件
    .annotate = 同时把记录连同作为附注的评注和原因写入这个文件（默认：所复盘的记录文件）
    .fail_on = 有任何一步（有 --side 或 --player 时只限该选手）得到这个评注时，以退出码 10 结束
    .budget = 在本机复盘时整局的限时（默认：10s）
    .memory = 在本机复盘时的内存上限，以 MiB 计（默认：1024）
    .epilogue =
        例：
          grundy review                        您最近下完的一局
          grundy review 7Kq2mVx9Rt
          grundy review match.ndjson --json
          grundy review 7Kq2mVx9Rt --local
          grundy review nim:3,5,7 A-1 C-7 B-5 A-2
          grundy review --ply 3                第三步为什么对或错
          grundy review --html review.html     浏览器的网页，有棋盘和原因
          grundy review --screen full          逐步看，有棋盘
          grundy review match.ndjson --side first --fail-on '??'

        评注：?? 丢掉胜势；! 三种以上着法中唯一的必胜着法；!! 同上，而且不易看出；!? 必败局面中最好的尝试，?! 不好的尝试；[] 只有这一着。

        服务器上的对局结束后才能复盘；在此之前退出码为 7。服务器保存其对局的复盘，并显示它的复盘。服务器的限额不够时，以及有 --budget、--memory、--ply 或 --annotate 时，在本机复盘。

learn = 练习您本来必胜却丢掉的局面
    .source = 本机或服务器上的对局、记录文件（“-”为标准输入），或者初始局面及其着法（默认：本机的所有对局）
    .online = 也看您在服务器上下完的对局
    .all = 也练习还没有到期的
    .player = 只限这个名字的选手的失误
    .limit = 最多多少道练习
    .progress = 改为显示您在每类游戏中的进展
    .budget = 求解器每次回答的限时
    .epilogue =
        例：
          grundy learn                         今天到期的练习，取自本机的所有对局
          grundy learn 7Kq2mVx9Rt              一局中的失误
          grundy learn match.ndjson --player Ada
          grundy learn --all --family nim --limit 5
          grundy learn --online                也取自您在服务器上的对局
          grundy learn --progress
          grundy learn forget nim:2,5,0        不再问这个局面
          printf 'hint\nB-3\n' | grundy learn match.ndjson --json

        每道练习是一个局面，其中一位不是机器人的选手丢掉了胜势。任何必胜着法都对。输入着法，或者：hint、why、solution、skip、forget、moves、more、rules、board、help、quit。有 --json 时，课程的每个事件是标准输出上的一行，回答从标准输入逐行读取。

        一次就做对的练习过几天再到期，以后间隔越来越长；没有做对的仍然到期。一天从 0:00 UTC 开始。
learn-forget = 永久去掉练习
    .position = 练习的局面，写法与课程所显示的相同；轮到右方走时后面加 right
    .match_id = 去掉来自这一对局的所有练习
    .epilogue =
        例：
          grundy learn forget nim:2,5,0
          grundy learn forget 'domineering:../.. right'
          grundy learn forget --match 7Kq2mVx9Rt

        去掉的练习不会再来，不论出自哪一局。在终端上会先询问您。课程中，forget 一词对所显示的练习作用相同。

puzzle = 在别人丢掉胜势的局面中取胜：每天一道谜题
    .number = 谜题的编号（默认：每日谜题）
    .day = 哪一天的谜题（默认：今天）
    .from = 从这个文件取这道谜题，它由 grundy puzzle make 写出
    .budget = 求解器每次回答的限时
    .epilogue =
        例：
          grundy puzzle                        今天的谜题，人人相同
          grundy puzzle --day 2026-11-24
          grundy puzzle 17                     按编号取谜题
          grundy puzzle next --family kayles --difficulty hard
          grundy puzzle rated                  服务器的谜题；第一次回答计分
          grundy puzzle list --theme pairs
          grundy puzzle make --out mine.ndjson
          grundy puzzle next --from mine.ndjson

        每道谜题是对局中的一个局面，其中有选手丢掉了胜势。求解器证明它必胜，并知道所有必胜着法：必胜着法不超过一半，着法至少有四种，而且下一步不会结束游戏。任何必胜着法都对。除 rated 以外都不用服务器。一天从 0:00 UTC 开始。
puzzle-next = 做接下来几道没有做过的谜题
    .limit = 最多多少道谜题
    .again = 也做已经做过的
    .budget = 求解器每次回答的限时
puzzle-rated = 做服务器的谜题，您和谜题都得等级分
    .limit = 最多多少道谜题
    .budget = 求解器每次回答的限时
    .epilogue =
        例：
          grundy puzzle rated
          grundy puzzle rated --family nim --limit 3

        服务器从它的谜题集和已结束的对局中，选出等级分与您相近的谜题。您的第一次回答计入您和谜题的等级分，因此在此之前没有提示：输入一步着法，或输入 solution 放弃。答错之后，why 解释原因。访客也可以做。
puzzle-list = 列出谜题
puzzle-make = 用对局中的失误制作谜题
    .files = 已结束的对局的记录文件（默认：本机的所有对局）
    .out = 谜题写到哪里；“-”或省略时写到标准输出
    .force = 这个文件存在时替换它
    .budget = 求解器每次回答的限时
puzzle-progress = 显示您做谜题的成绩
    .online = 也向服务器查询您的解题等级分

solve = 显示局面谁能取胜，以及用哪些着法
    .position = 局面，例如 nim:3,5,7；“-”从标准输入每行读取一个
    .all = 也显示必败的着法
    .max_moves = 列出多少种着法（默认：JSON 中 1000，屏幕上 20）
    .expect = 结果不同时以退出码 10 结束
    .expect-N = 轮到走的一方必胜
    .expect-P = 刚走过的一方必胜
    .expect-L = 左方必胜
    .expect-R = 右方必胜
    .expect-D = 没有人必胜
    .certificate = 把结论的证明写入这个文件，供 grundy verify 使用；“-”输出证明而不输出结论
    .svg = 同时把局面作为图片写入这个文件
    .epilogue =
        例：
          grundy solve nim:1,4,6,7
          grundy solve wythoff:5,8 --all
          grundy solve nim:3,5,6 --expect P && echo lost
          grundy solve kayles:7,5 --certificate kayles.json && grundy verify kayles.json
          grundy solve domineering:.../... --svg board.svg
          printf 'nim:1,2,3\nkayles:7\n' | grundy solve - --json

        用“-”时，标准输入的每一行是一个局面，最多 4 MiB，每个局面立即以一行回答。读不懂的一行以错误回答；其余的照样求解，最后的退出码为 3。

moves = 列出局面或对局中的合法着法
    .position = 局面，例如 nim:3,5
    .match_id = 改为列出服务器上这一对局的着法
    .from = 从第几种着法列起，从 0 数起
    .limit = 最多列出多少种着法
    .epilogue =
        例：
          grundy moves nim:3,5
          grundy moves kayles:1000 --from 500 --limit 10
          grundy moves --match 7Kq2mVx9Rt

explain = 用游戏自己的说法解释局面为什么必胜或必败
    .position = 局面，例如 nim:3,5,7；或术语，例如 nim-value
    .moves = 改为解释这一着法和最佳着法；可以多次使用
    .epilogue =
        例：
          grundy explain nim:1,4,6,7
          grundy explain nim:1,4,6,7 --move A-1 --move B-4
          grundy explain mex

        有 --move 时解释每种着法：它留下什么，那为什么必胜或必败，以及必败时反驳它的应着。最佳着法也同样解释。没有冒号的词是术语，术语的解释只有英语。

explore = 浏览一局或从一个局面出发，对照求解器试走
    .source = 本机或服务器上的对局、记录文件（“-”为标准输入），或者初始局面及其着法（默认：您最近下完的一局）
    .ply = 从对局的这么多步之后开始
    .epilogue =
        例：
          grundy explore nim:3,5,7
          grundy explore nim:3,5,7 A-1 C-7 B-5
          grundy explore match.ndjson
          grundy explore 7Kq2mVx9Rt --ply 12
          printf 'next 2\nB-3\nwhy\n' | grundy explore match.ndjson --json

        输入着法来试走，或者：next [N]、back [N]、ply N、start、end、match（离开变化）、moves、more、why [着法]、board、help、quit。有 --json 时，输入的每一行以标准输出上的一个对象回答。

        服务器上的对局结束后才能浏览；在此之前退出码为 7。

graph = 画出从一个局面可到达的所有局面及其值
    .position = 局面，例如 nim:1,2
    .format = 输出的格式
    .format-text = 终端的文本
    .format-dot = Graphviz 的输入
    .format-svg = 图片
    .epilogue =
        例：
          grundy graph nim:1,2
          grundy graph sub.2.5:10 --format svg > sub.svg
          grundy graph kayles:4@misere --format dot | dot -Tpng > kayles.png

        每个局面标明其 SG 值，反常规则下标明其结果。它的层次是从它出发的最长下法的长度。最多画 2,000 个局面。

odds = 按水平计算两名选手各有多大的胜率
    .epilogue =
        例：
          grundy odds nim:3,5,7 --skills 0.5,0.5
          grundy odds nim:3,5,6 --skills best,random
          grundy odds kayles:7@misere --skills 0.9,skill:0.7 --json

        水平为 0.9 的选手在有必胜着法时以 0.9 的概率走必胜着法，否则任走一种合法着法。perfect 是 1，random 是 0。best 走对这个对手最可能取胜的着法。机器人 skill:Q 没有保住胜势时就丢掉它。计算所有可到达的局面，最多 500,000 个。

fair = 列出两名选手胜率大致相等的初始局面
    .family = 局面由堆组成的游戏，例如 nim、kayles 或 sub.1.3.4
    .heaps = 堆数的最小值和最大值（默认：2-4，或游戏所有的堆数）
    .max = 最大的堆的大小
    .misere = 走最后一步的一方输
    .count = 最多列出多少个初始局面
    .epilogue =
        例：
          grundy fair --family nim --skills 0.5,0.75
          grundy fair --family nim --skills perfect,0.75 --heaps 3-4 --max 9
          grundy fair --family kayles --skills skill:0.9,skill:0.7 --misere --count 3

        选手与 grundy odds 的相同。列出胜率在 49 与 51 % 之间的初始局面，最均衡的在前；双方都可以先走。

verify = 不必信任作者而核验证书、赛事或竞技场
    .source = 由 grundy solve --certificate 写出的证书；“-”读取标准输入
    .epilogue =
        例：
          grundy solve kayles:7,5 --certificate kayles.json
          grundy verify kayles.json
          grundy verify - --json < kayles.json
          grundy verify tournament cup.ndjson
          grundy verify arena 目录

        证明成立时退出码为 0，不成立时为 10，文件不是证书时为 3。核验使用游戏的规则和它所列的定理，而不使用求解器。
verify-tournament = 从导出文件重新计算赛事
    .source = 由 grundy tournament export 写出的文件；“-”读取标准输入
    .epilogue =
        例：
          grundy tournament export 7Kq2mVx9Rt cup.ndjson
          grundy verify tournament cup.ndjson

        一切都只从文件重新计算：日志的哈希链、承诺值和种子、初始局面、所有编排、所有对局的着法和结果、排名、破同分和等级分。第一个错误会连同行号指出。全对时退出码为 0，有错时为 10。请把链头与 grundy tournament show 所显示的比较：从头到尾重新制作的文件有别的链头。
verify-arena = 从竞技场写出的文件重新计算竞技场
    .directory = 用 grundy arena --out 指定的目录
    .epilogue =
        例：
          grundy arena --bot perfect --bot random --pairs 10 --out cup
          grundy verify arena cup

        一切都只从文件重新计算：设置、初始局面、谁与谁相遇、所有对局的着法、时间和结果、准确率、排名、破同分和等级分。第一个错误会连同文件和行号指出。全对时退出码为 0，有错时为 10。请把承诺值与竞技场在第一局之前所显示的比较，把链头与结束时所显示的比较：从头到尾重新制作的文件有别的值。

rules = 列出游戏，或显示一种游戏的规则和写法
    .game = 要显示的游戏，例如 nim 或 octal.0.77
    .epilogue =
        例：
          grundy rules list
          grundy rules wythoff
          grundy rules period octal.0.77
          grundy rules table octal.0.6 --to 1000000 --last 5

        docs/LEARN.md 讲解各类游戏的理论，并有习题。
rules-list = 每行列出一种游戏
rules-show = 显示一种游戏的规则、初始棋盘、写法、例子、方法、限制和出处
    .game = 游戏的名字，例如 nim 或 octal.0.77
rules-period = 如果能证明，显示单堆 SG 值的周期
    .game = 游戏的规则，例如 octal.0.77、kayles 或 sub.1.3.4
    .to = 要检查的最大的堆
    .budget = 限时
    .svg = 同时把开头的值作为图片写入这个文件，从中可看出周期
    .epilogue =
        例：
          grundy rules period octal.0.77
          grundy rules period octal.0.16 --json
          grundy rules period kayles --svg kayles.svg
          grundy rules period octal.0.6 --to 100000 --budget 10s

        只有得到证明的周期才会显示。证明依据 Guy 和 Smith 的界，它需要超过前周期加周期的两倍的值。
rules-table = 列出单堆的 SG 值
    .game = 游戏的规则，例如 octal.0.77、grundy 或 sub.1.3.4
    .to = 最大的堆
    .last = 只列出最后 K 个值
    .epilogue =
        例：
          grundy rules table kayles --to 20
          grundy rules table octal.0.6 --to 1000000 --last 5
          grundy rules table grundy --to 1000 --json

        每行显示堆的大小及其值。

games = 列出、显示、导出和导入服务器上和本机的对局
    .epilogue =
        例：
          grundy games list --mine --status live
          grundy games list --player Ada --opponent perfect
          grundy games list --mine --game nim --result lost --since 30d
          grundy games show 7Kq2mVx9Rt
          grundy games export 7Kq2mVx9Rt match.ndjson
          grundy games export 7Kq2mVx9Rt --text
          grundy games export --mine matches/         您下完的每一局各写一个文件
          grundy games export --mine - --cursor-file cursor >> mine.ndjson
          grundy games import mine.ndjson
          grundy games list --local --game nim --min-mistakes 1
games-list = 列出对局，最近的在前
    .mine = 只列出您的对局
    .player = 只列出这位选手的对局：编号或名字
    .opponent = 只列出与这位选手的对局；没有 --player 时是您自己的
    .status = 只列出这种状态的对局
    .status-waiting = 还没有人坐另一个座位
    .status-live = 正在进行
    .status-over = 已结束
    .game = 只列出这种游戏的对局；sum 表示由几种游戏组成的和
    .start = 只列出从这个初始局面开始的对局
    .result = 只列出这样结束的对局；won 和 lost 是 --player 的，或您自己的
    .result-won = 该选手胜
    .result-lost = 该选手负
    .result-first = 先手方胜
    .result-second = 后手方胜
    .result-draw = 没有人胜
    .result-void = 对局无效
    .rated = 只列出等级分对局；--rated=false 只列出其他的
    .min_moves = 只列出至少有这么多步的已结束的对局
    .max_moves = 只列出至多有这么多步的已结束的对局
    .with_mistakes = 显示双方各丢掉多少次胜势，先手方在前
    .min_mistakes = 只列出至少有这么多失误的已结束的对局
    .max_mistakes = 只列出至多有这么多失误的已结束的对局
    .mistakes_by = 计算谁的失误：--player 的（有 --mine 时是您的）、对手的，或任何一方的（默认：player；没有 --player 或 --mine 时为 either）
    .mistakes_by-player = 所列对局的选手
    .mistakes_by-opponent = 该选手的对手
    .mistakes_by-either = 双方中至少一方
    .local = 只列出本机对局库的对局，不用服务器
    .online = 只列出服务器的对局
    .oldest = 最早的在前
    .limit = 最多列出多少局
games-show = 显示对局：选手、着法、结果
games-export = 把对局的记录写成 NDJSON；对局结束后，只有再来一局才会添加内容
    .file = 要写的文件（默认：标准输出）
    .text = 改为写成可读的文本
    .mine = 把您在服务器上和本机下完的每一局各写成一个“对局编号.ndjson”文件，放入这个目录；已有的文件保留。写“-”时，把服务器上的记录按对局结束的顺序写到标准输出
    .after = 有 --mine - 时：从这个游标的对局之后开始
    .cursor_file = 有 --mine - 时：接着已写出的对局继续，并把新的位置存入这个文件
    .force = 不询问而覆盖文件
games-import = 把记录加入本机的对局库；list、show、export 和 review 用 --local 读取它们
    .files = 要读取的文件；“-”为标准输入
    .epilogue = 一个文件有一局的记录，或依次有几局的记录，如 grundy games export 所写。每份记录在加入之前都要重演和检查。后面还有别的记录的不完整记录会跳过并警告。遇到第一份其他无效的记录时停止导入；在它之前的记录保留。

arena = 让机器人在本机互相对弈
    .bots = 参加的机器人；至少两个
    .start = 初始局面：文件、局面或随机规则（默认：random:nim,heaps=3-5,max=15）
    .pairs = 两个机器人相遇时下多少对
    .format = 谁与谁相遇
    .format-round-robin = 每两个机器人都相遇（Berger 表）
    .format-double-round-robin = 每两个机器人都相遇两次
    .format-gauntlet = 前几个机器人（由 --seeds 决定）与其他所有机器人相遇
    .format-swiss = 积分相同的机器人相遇，不重复
    .format-knockout = 负者出局
    .rounds = 瑞士制的轮数（默认：比淘汰赛多两轮）
    .seeds = 擂台赛中与其他所有机器人相遇的前几个机器人
    .concurrency = 同时下多少局（默认：处理器核数）
    .time = 时间：每步 100ms，或者基本时间加每步加时 10s+100ms
    .margin = 机器人可以超过其时间多少
    .start_limit = 机器人启动可以用多久
    .new_game_limit = 要求等待的机器人准备新的一局可以用多久
    .sprt = 两个机器人之间的检验有结论时停止：elo0=0,elo1=10（归一化 Elo）；还可写 alpha=0.05、beta=0.05，以及 model=normalized 或 logistic
    .seed = 所有随机选择的种子（默认：随机产生并显示）
    .order = 初始局面的使用顺序
    .order-sequential = 按原来的顺序
    .order-random = 由种子决定
    .max_plies = 走了这么多步的一局为和局
    .adjudicate = N 步之后，求解器一旦证明谁胜就结束一局
    .faults = 连续多少次出错后机器人不再参加；0 为永不
    .strict = 第一次出错就停止，退出码为 1
    .out = 把日志、对局和排名保存在这个目录
    .resume = 用其自己的设置下完这个目录中竞技场的剩余对局
    .memory = 机器人的每个进程可用于数据的内存，以 MiB 计；0 表示不限
    .epilogue =
        例：
          grundy arena --bot cmd:./mybot --bot skill:0.7 --pairs 100
          grundy arena --bot new=cmd:./new --bot old=cmd:./old --pairs 5000 --sprt elo0=0,elo1=10 --out new-old
          grundy arena --bot perfect --bot greedy --bot random --start nim:3,5,7 --pairs 10 --json
          grundy arena --resume new-old

        每一对是从同一初始局面下的两局，双方轮流先走。机器人是 cmd:命令、内置机器人（perfect、random、greedy、teacher、trickster、skill:Q）或 TOML 文件；前面写“名字=”可以命名。初始局面取自每行一个局面的文件，或者随机产生：random:nim,heaps=3-5,max=15,seed=7。种子相同、机器人的行为总是相同时，不论同时下多少局，输出都相同。按一次 Ctrl-C 下完正在进行的对局，按两次立即结束。有 --screen full 时，运行中以表格显示排名、交叉表和对局。机器人怎样通信：docs/BOTS.md。

bot = 编写、检查和列出机器人
bot-new = 写出一个能下的机器人，供您着手
    .lang = 编程语言
    .lang-python = Python 3
    .lang-javascript = Node 的 JavaScript
    .lang-rust = Rust
    .lang-c = C
    .directory = 机器人的目录，其最后一部分是机器人的名字
    .epilogue =
        例：
          grundy bot new --lang python mybot && grundy bot check python3 mybot/bot.py
bot-check = 检查程序是否符合协议，并显示第一行错误
    .url = 检查在这台服务器上下棋的机器人
    .memory = 机器人的每个进程可用于数据的内存，以 MiB 计；0 表示不限
    .command = 机器人的命令及其参数
    .epilogue =
        例：
          grundy bot check python3 mybot/bot.py
          grundy bot check --json ./mybot --depth 5
          grundy bot check --url http://127.0.0.1:7310 python3 client.py --server {"{"}url{"}"} --join {"{"}code{"}"}
          grundy bot check --url http://127.0.0.1:7310 grundy bot run --server {"{"}url{"}"} --join {"{"}code{"}"} -- ./mybot

        有 --url 时，机器人在服务器上与本程序对弈。每局启动一次命令；{"{"}code{"}"} 代表其座位的加入码，{"{"}url{"}"} 代表服务器。

        有检查失败时退出码为 10。对第一项失败的检查显示之前的往来，> 是发给机器人的，< 是机器人发来的。机器人该说什么，见 docs/BOTS.md。
bot-run = 让程序在服务器上下棋
    .join = 坐上这一对局的另一个座位
    .tournament = 参加这项赛事并下它的所有对局
    .position = 从这个局面下对局
    .against = 要对弈的服务器内置机器人
    .matches = 下多少局，双方轮流先走
    .games = 接受任何人对这些游戏的挑战，直到按 Ctrl-C；all 接受所有游戏
    .at_once = 有 --games 时：同时下多少局
    .programs = 机器人的进程数，它们分担对局：每个进程一次只想一步（默认：同 --at-once，最多 16）
    .min_clock = 有 --games 时：时限的最短基本时间
    .clock = 每位选手的时限：3m+2s，或 none
    .memory = 机器人的每个进程可用于数据的内存，以 MiB 计；0 表示不限
    .command = 机器人的命令及其参数
    .epilogue =
        例：
          grundy bot run --games nim,kayles --at-once 8 --min-clock 1s -- ./mybot
          grundy bot run --position nim:3,5,7 --against perfect --matches 10 -- ./mybot
          grundy bot run --join KWQHRMTB -- python3 mybot/bot.py
          grundy bot run --tournament 7Kq2mVx9Rt -- ./mybot
          grundy bot run -- ./mybot               下完它未结束的对局

        程序按 docs/BOTS.md 在标准输入和标准输出上通信。程序结束时会重新启动，并在其时限内继续。服务器还没有启动、暂时拒绝或连接断开时，机器人等待并重试，直到按 Ctrl-C。机器人未结束的对局同时继续。
bot-list = 列出内置机器人
    .epilogue =
        例：
          grundy bot list

stats = 由结果计算强弱：Elo、SPRT、等级分
    .epilogue =
        例：
          grundy stats match --pairs 13,37,50,25,3
          grundy stats match --games 89,123,76 --json
          grundy stats sprt --pairs 13,37,50,25,3 --elo0 0 --elo1 4
          grundy stats ratings results.csv
          grundy stats player Ada --family nim --svg ada.svg
          grundy stats glicko2 --rating 1500,200,0.06 --tau 0.5 --games '1400,30,1;1550,100,0'

        一对是从同一初始局面下的两局，双方轮流先走。结果不能确定的数值在 JSON 中为 null，原因在 why 中。
stats-match = 显示两名选手的一场比赛所表明的等级分差
    .games = 负、和、胜各有多少局
    .epilogue =
        例：
          grundy stats match --pairs 13,37,50,25,3
          grundy stats match --games 89,123,76 --json

        score 是每局的平均得分，从 0 到 1；variance 是一对（减半）或一局的方差；elo_lo 和 elo_hi 是 95 % 区间的两端；nelo_err 是其区间宽度的一半；los 是该选手更强的概率。所有结果相同时没有方差，需要方差的数值为 null；得分率为 0 % 和 100 % 时，区间的一端是 Wilson 的，另一端为 null。
stats-sprt = 检验一名选手是否强出这么多
    .games = 负、和、胜各有多少局
    .elo0 = H0 下的差距
    .elo1 = H1 下的差距，大于 H0 下的差距
    .alpha = H0 成立却接受 H1 的概率
    .beta = H1 成立却接受 H0 的概率
    .model = 两个差距的单位
    .model-normalized = 归一化 Elo
    .model-logistic = 逻辑斯谛 Elo
    .epilogue =
        例：
          grundy stats sprt --pairs 13,37,50,25,3 --elo0 0 --elo1 4
          grundy stats sprt --games 89,123,76 --elo0 -5 --elo1 0 --model logistic --json

        对数似然比 llr 达到上界时结论为 H1，达到下界时为 H0，在两者之间时为 continue。从未出现的得分按 0.001 次计。
stats-ratings = 由所有对局一次算出所有选手的等级分（Bradley-Terry）
    .source = CSV 格式的结果；“-”读取标准输入
    .epilogue =
        例：
          grundy stats ratings results.csv
          grundy stats ratings - --json < results.csv

        每行是“胜者,负者,次数”；和局双方各计半局。含逗号的名字写在双引号中。空行、以 # 开头的行，以及第一行 winner,loser,count 会跳过。等级分以 Elo 计，平均为 0。从每名选手到其他每名选手都有一串胜局相连时，等级分才存在；否则为 null，why 说明谁与其他人隔开。
stats-glicko2 = 一期之后更新一名选手的等级分（Glicko-2）
    .rating = 选手的等级分、等级分偏差和波动率
    .tau = 波动率可以变化多少
    .games = 对局：对手的等级分和偏差，以及 1、0.5 或 0
    .epilogue =
        例：
          grundy stats glicko2 --rating 1500,200,0.06 --tau 0.5 --games '1400,30,1;1550,100,0;1700,300,0'
          grundy stats glicko2 --rating 1500,350,0.06 --games '' --json

        对手的等级分是这一期之前的。没有对局时只有偏差增大。
stats-player = 一起复盘选手的所有对局：保住的胜势、失误、开局、对手、走势
    .name = 选手：名字或编号（默认：您）
    .local = 读取本机对局库的对局（默认：这些，以及您在服务器上下过棋时服务器上的对局）
    .online = 读取服务器的对局
    .from = 从这个文件，或从这个目录的 NDJSON 文件读取记录；“-”为标准输入。可以多次使用
    .family = 只计这种游戏的对局；sum 表示由几种游戏组成的和
    .vs = 只计与这位选手的对局：名字或编号
    .since = 只计这一时间及以后创建的对局：日期，例如 2026-11-30（UTC）；时刻；或多久以前，例如 30d
    .until = 只计这一时间以前创建的对局
    .last = 只计其中最近 N 局
    .by = 走势中每期的长短（默认：期数不超过 24 的最短者）
    .by-day = 天（UTC）
    .by-week = 周，从星期一起
    .by-month = 月
    .by-year = 年
    .rows = 最多列出多少个错过的局面、开局和对手
    .csv = 同时把所有数值写成一张电子表格：section、row、key、figure、value
    .svg = 同时把走势和各步的失误写成图片
    .budget = 每局的限时
    .epilogue =
        例：
          grundy stats player
          grundy stats player Ada --family nim --since 90d
          grundy stats player --vs perfect --last 50
          grundy stats player Ada --from matches/ --from more.ndjson --json
          grundy stats player --local --online --csv stats.csv --svg stats.svg

        只计已结束的对局。在必胜局面中，有些着法保住胜势、有些不能时，走一步算一次抉择。比例有 95 % 区间（Wilson 1927）。

tournament = 举办和跟踪赛事；输出赛程、编排和排名
    .epilogue =
        例：
          grundy tournament schedule --players 6 --format berger
          grundy tournament pair open.trf
          grundy tournament standings open.trf --tie-breaks PTS,DE,BH-C1
          grundy tournament create 'Nim Cup' --format swiss --rounds 5 --bot perfect --bot random
          grundy tournament play 7Kq2mVx9Rt
          grundy tournament watch 7Kq2mVx9Rt

        前三个不用服务器。赛事文件是国际棋联的 TRF-16；规则见 docs/TOURNAMENTS.md。
tournament-schedule = 输出每轮谁与谁相遇
    .players = 有多少名选手
    .format = 赛制
    .format-berger = 每两名选手相遇一次，按 Berger 表
    .format-double-berger = 每两名选手相遇两次，双方各先走一次
    .format-gauntlet = 前 --seeds 名选手与其他所有选手相遇
    .format-knockout = 按种子排位，使最强的最后相遇
    .seeds = 擂台赛中多少名选手与其他所有选手相遇
    .epilogue =
        例：
          grundy tournament schedule --players 6 --format berger
          grundy tournament schedule --players 5 --format knockout --json
          grundy tournament schedule --players 8 --format gauntlet --seeds 2

        每局中写在前面的选手先走。淘汰赛中名单上相邻的选手相遇，然后是胜者相遇；超出选手数的编号为轮空。
tournament-pair = 编排瑞士制的下一轮（国际棋联的荷兰制）
    .source = 赛事报告（TRF-16）；“-”读取标准输入
    .no_colours = 编排时不管先后手，例如每次相遇下两局、双方轮流先走时
    .epilogue =
        例：
          grundy tournament pair open.trf
          grundy tournament pair - --json < open.trf

        文件有所有已结束的轮次，以及写明轮数的一行“XXR 9”。“XXC white1”或“XXC black1”是第 1 轮中第一名选手的先后手（没有时按第 1 轮，否则为白），“XXZ 4 7”列出谁不在场，“XXP 1 2”列出谁不可相遇。已写入下一轮一列的轮空算作不在场。没有合法的编排时以退出码 7 结束。
tournament-standings = 排出赛事文件中选手的名次
    .source = 赛事报告（TRF-16）；“-”读取标准输入
    .tie_breaks = 破同分方法，按顺序
    .round_robin = 编排是事先知道的：弃权算作对局
    .edition = 国际棋联 C.07 关于未下轮次的文本
    .edition-2024 = 2024 年 8 月 1 日：未下的一轮按与选手自己同分的虚拟对手计
    .edition-2026 = 2026 年 3 月 1 日：虚拟对手的分数有上限
    .trf = 再输出赛事报告，带名次
    .epilogue =
        例：
          grundy tournament standings open.trf
          grundy tournament standings open.trf --tie-breaks PTS,DE,BH-C1,SB --json
          grundy tournament standings club.trf --round-robin
          grundy tournament standings open.trf --trf > ranked.trf

        破同分：PTS 积分，DE 相互战绩，BH 对手分（Buchholz），BH-C1 去掉最低的对手，BH-M1 去掉最低和最高的，SB Sonneborn-Berger，WIN 得胜局分的轮数，WON 实际下棋胜的局数，PS 累进分，KS Koya。按所给的顺序使用；都分不出的选手名次相同。默认：PTS,DE,BH-C1,BH,SB，循环赛中为 PTS,DE,SB,WIN。
tournament-create = 在服务器上创建赛事
    .name = 赛事的名称
    .format = 谁与谁相遇
    .rounds = 瑞士制或天梯赛的轮数
    .seeds = 擂台赛中与其他所有选手相遇的人数：最先报名的
    .games = 每次相遇的局数：1，或偶数
    .clock = 每位选手的时限：1m+1s、5m+d3s（延迟）、5m+b3s（Bronstein）、10s/move、10m+3x30s（读秒）
    .start = 从哪里开始：局面（可多次使用），或 random:nim,heaps=3-5,max=15,count=32
    .players = 最多多少名选手
    .who = 哪些选手可以报名
    .admit = 只接受这个名字的选手；可多次使用
    .bot = 一起参加的服务器内置机器人；可多次使用
    .start_in = 这么久以后开始，例如 10m
    .start_within = 选手这么久没有到场就判负
    .away = 选手离开对局这么久就判负
    .epilogue =
        例：
          grundy tournament create 'Nim Cup' --format swiss --rounds 5 --bot perfect --bot skill:0.8
          grundy tournament create Open --format round-robin --games 4 --players 8 --start nim:3,5,7 --start kayles:9
          grundy tournament create League --format ladder --rounds 100 --start random:nim,heaps=3-5,max=15 --start-in 10m

        每次相遇下 --games 局：每两局从同一初始局面下，双方轮流先走。初始局面由种子抽出，服务器在任何人报名之前就给出种子的承诺值。最后一个名额报满时、--start-in 之后，或用 grundy tournament start，赛事开始。
tournament-join = 报名参加赛事（play 下您的对局；grundy bot run --tournament 用机器人报名并下）
tournament-play = 报名参加赛事，并在这里下您的所有对局
    .epilogue = 您的每一局一开始就在这里打开。quit 离开进行中的一局，其时钟继续走：同样的命令带您回去。
tournament-withdraw = 退出赛事；您在其中进行的对局判负
    .bot = 让您的机器人退出，它用 grundy bot run 和同样的 --profile 下棋
tournament-start = 结束您的赛事的报名并开始
tournament-pause = 暂停您的赛事：进行中的对局下完，不开始新的
tournament-resume = 继续您暂停的赛事
tournament-cancel = 立即结束您的赛事；进行中的对局无效
    .confirm = 重复赛事的编号，以免误取消别的赛事
    .reason = 原因，给选手看
tournament-show = 显示赛事及其排名
    .accuracy = 也显示每位选手的准确率；要取得所有对局并求解其局面
    .svg = 同时把交叉表作为图片写入这个文件
tournament-watch = 跟踪赛事直到结束
    .epilogue = 有 --screen full 时以表格显示赛事：排名、交叉表、进行中的对局和已结束的对局；按 Enter 观看或复盘其中一局。有 --json 时每个事件是一行，带编号，最后一行是最终状态。连接断开时会重新连接，事件不会遗漏，也不会输出两次。
tournament-list = 列出服务器上的赛事
    .limit = 最多输出这么多
tournament-export = 保存赛事及其所有对局，供 grundy verify tournament 使用
    .file = 要写的文件；“-”或省略时写到标准输出
    .csv = 同时把排名写成 CSV，带破同分和每位选手的准确率
    .no_accuracy = 不要选手的准确率：不询问求解器
    .trf = 同时把各轮写成赛事文件（TRF-16）
    .epilogue =
        例：
          grundy tournament export 7Kq2mVx9Rt cup.ndjson
          grundy verify tournament cup.ndjson
          grundy tournament export 7Kq2mVx9Rt cup.ndjson --csv cup.csv --trf cup.trf

        赛事须已结束：那时种子才公开。

load = 测量您自己的服务器的负载能力
    .matches = 同时下多少局，1 到 10,000；每局用两个连接
    .seconds = 测量多久，1 到 600 秒；有 --baseline 时两者各这么久
    .plies = 每局的步数，1 到 100,000；之后双方开始下一局
    .rate = 所有对局合计每秒的步数，1 到 1,000,000（默认：得到应答后立即走）
    .open = 以开环方式按 --rate 走。过载的服务器可以拒绝新的对局，但不能拒绝着法
    .mix = 开环中着法之外每秒的请求：guests=N,matches=N,solve=N,watch=N
    .hostile = 开环中被拒绝的请求 20 毫秒后再问，而不等服务器给出的时间
    .baseline = 也测量同样数据的纯转发，没有规则和存储，与服务器交替进行
    .idle = 额外的空闲连接，最多 20,000，用来测量每个连接的内存
    .watchers = 第一局的观众，最多 5,000
    .askers = 不断请求求解的连接，最多 1,000
    .workers = 所启动的服务器的连接线程，1 到 64。多于一个时，不把进程固定在处理器核上
    .spawn = 以负载配置在空闲端口启动这个服务器程序，之后停止它
    .data_parent = 在哪里建立所启动服务器的临时数据目录；所测量的是它的磁盘
    .also = 与 --server 使用同一数据库的另一台服务器；可给出多次。对局分布在所有服务器上
    .across = 与 --also 同用：一局的两名选手在不同的服务器上
    .allow_remote = 允许另一台电脑上的服务器。请先征得其所有者同意

login = 登录有密码的账户
    .password_file = 从这个文件的第一行读取密码；- 为标准输入
    .epilogue =
        例：
          grundy login Ada
          grundy login Ada --password-file - < password.txt

        登录有密码的账户；grundy password 为您的账户设密码。您的对局立即可用：grundy resume。grundy token list 显示您在哪里登录。

logout = 在这台电脑上退出登录
    .forget = 即使没有密码可以再登录，也退出
    .epilogue =
        例：
          grundy logout

        这台电脑的密钥会被撤销：任何程序都不能再使用它。没有密码的访客将无法回来，因此需要 --forget。

password = 设置密码，以便在别处登录
    .recovery_codes = 保留密码，输出新的恢复码
    .password_file = 从这个文件的第一行读取新密码；- 为标准输入
    .current_file = 从这个文件的第一行读取当前密码；- 为标准输入，在新密码之前
    .epilogue =
        例：
          grundy password                     询问密码并设置
          grundy password --recovery-codes    更换恢复码

        有了密码，您可以在另一台电脑上登录：grundy login 名字。会输出十个恢复码；每个可用一次，用来设新密码（grundy recover 名字）。更改密码会使以前的恢复码失效，并使您在其他所有电脑上退出登录。

recover = 用恢复码设新密码并登录
    .code_file = 从这个文件的第一行读取恢复码；- 为标准输入
    .password_file = 从这个文件的第一行读取新密码；- 为标准输入，在恢复码之后
    .epilogue =
        例：
          grundy recover Ada

        您需要 grundy password 输出的一个恢复码。恢复码会用掉，您在其他所有地方会退出登录。没有恢复码时，只有服务器的管理员能帮忙。

token = 创建、列出、更换和撤销程序用的令牌
    .bot = 您的机器人的令牌；机器人是另一名选手
    .epilogue =
        例：
          grundy token create reader --scope watch --expires 90d --to reader.token
          grundy --token-file reader.token games list
          grundy token list
          grundy token rotate reader --to reader.token
          grundy token revoke reader
          grundy token create server --bot --scope bot --to bot.token
          grundy --token-file bot.token bot run --games nim -- ./mybot

        权限：
          play        像人一样对弈
          bot         作为受邀的程序对弈：不自己开始对局
          watch       只读取
          tournament  在服务器允许时创建赛事，并管理您的赛事
          admin       使选手退出登录并帮他们回来；只限管理员
          account     管理账户；grundy login 所用的令牌有全部权限

        令牌只显示一次。持有它的人可以以您的名义做权限所许可的事，直到它过期或被您撤销；那时它的连接会立即关闭。
token-create = 创建令牌并显示一次
    .name = 令牌在您的列表中的名称
    .scopes = 可用于什么；多种权限请多次使用
    .expires = 有效多久，例如 90d（默认：直到撤销）
token-list = 列出您的令牌，不显示其密钥
token-rotate = 用权限相同的新令牌替换令牌
token-revoke = 撤销令牌：其连接会关闭

identity = 用密封的文件把您的身份带到另一台电脑
    .epilogue =
        例：
          grundy identity export ada.sealed
          grundy identity import ada.sealed          在另一台电脑上

        文件有自己的令牌，只有您的口令能打开它。如果文件丢失，请撤销其令牌：
          grundy token revoke 'identity file'

        有密码的账户不需要文件：
          grundy login 名字
identity-export = 把您在服务器上的身份写入密封的文件
    .file = 要写的文件
identity-import = 接收密封文件中的身份
    .file = 要读取的文件

admin = 使选手退出登录，并帮他们回来（管理员）
    .epilogue =
        例：
          grundy admin sign-out Ada
          grundy admin help Ada

        只限服务器的配置在 operators 中列出的选手。
admin-sign-out = 撤销选手的所有令牌：选手的每个连接都会关闭
admin-help = 为无法再登录的选手输出新的恢复码；以前的恢复码失效

whoami = 显示您在服务器上是谁
    .same_server = 确认 --server 是您已知的服务器的新地址，并在那里使用同样的身份
    .epilogue =
        例：
          grundy whoami --profile work

name = 更改您在服务器上的名字
    .name = 您的新名字，1 到 32 个字符
    .epilogue =
        例：
          grundy name Ada

        一台服务器上没有两位选手的名字看起来相同：大小写和相似的字母不加区别。已创建的对局保留您原来的名字。

mute = 屏蔽选手的聊天，或列出您屏蔽的选手
    .player = 选手的编号或名字；没有时列出您屏蔽的选手
    .epilogue =
        例：
          grundy mute Bo
          grundy mute        列出您屏蔽的选手

        服务器不再向您发送这位选手的聊天。选手不会得到通知。

unmute = 重新显示选手的聊天
    .player = 选手的编号或名字
    .epilogue =
        例：
          grundy unmute Bo

config = 显示各项设置及其来源
    .epilogue =
        配置文件是 TOML。本程序从不写它。它的键有：
          server = "http://127.0.0.1:7310"   要连接的服务器
          ca = "cert.pem"                   用于 https：只信任这个文件中的证书
          profile = "default"                要使用的身份
          name = "Ada"                       新访客要用的名字
          timeout = "10s"                    等待服务器应答多久
          screen = "auto"                    怎样显示对局：auto、full 或 lines
          lang = "en"                        句子的语言：en 或 zh-CN
config-path = 显示本程序读写的文件
config-show = 显示每项设置及其来源

completions = 输出 shell 的补全脚本
    .shell = 哪一种 shell
    .epilogue =
        例：
          grundy completions bash > ~/.local/share/bash-completion/completions/grundy

man = 输出手册页
    .command = 要输出哪个命令的手册页（默认：grundy 本身的）
    .to = 把所有命令的手册页写入这个目录
    .epilogue =
        例：
          grundy man | man -l -
          grundy man tournament create | man -l -
          grundy man --to ~/.local/share/man/man1     每一页，使 man grundy-play 可用

# 代表参数值的词。
values =
    .file = 文件
    .time = 时间
    .name = 名字
    .tournament = 赛事编号
    .game = 游戏
    .games = 游戏
    .match = 对局编号
    .side = 一方
    .player = 选手
    .dir = 目录
    .directory = 目录
    .path = 路径
    .command = 命令
    .clock = 时限
    .position = 局面
    .move = 着法
    .format = 格式
    .family = 类别
    .who = 谁
    .url = 地址
    .language = 语言
    .chance = 概率
    .year = 年份
    .whether = 是否
    .when = 何时
    .theme = 主题
    .text = 文字
    .test = 检验
    .suite = 初始局面
    .state = 状态
    .start = 初始局面
    .skill = 水平
    .set = 字符集
    .seconds = 秒数
    .seat = 空位
    .scope = 权限
    .result = 结果
    .reason = 原因
    .program = 程序
    .place = 名次
    .outcome = 结果
    .out = 文件
    .order = 顺序
    .model = 模型
    .mode = 方式
    .mark = 评注
    .list = 列表
    .length = 长短
    .kinds = 种类
    .how = 程度
    .difficulty = 难度
    .date = 日期
    .cursor = 游标
    .code = 加入码
    .bot = 机器人
    .challenge = 挑战
    .number = 编号
    .token = 令牌
    .matches = 局数
    .plies = 步数
    .rate = 速度
    .idle = 个数
    .watchers = 人数
    .askers = 个数
    .workers = 线程数
