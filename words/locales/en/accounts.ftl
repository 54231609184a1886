# Accounts on the command line: who a player is at a server, passwords, tokens, identities.

## Who I am

whoami = { $count ->
    [one] { $name } at { $server } ({ $version }), profile { $profile }, { $count } running match
   *[other] { $name } at { $server } ({ $version }), profile { $profile }, { $count } running matches
}
whoami-scopes = This token's scopes: { $scopes }.
whoami-guest = You are a guest on this computer only. With 'grundy password' you can sign in elsewhere.
name-changed = You are now { $name } (before: { $before }).
mute-on = You will not see what { $name } says.
mute-off = You will see what { $name } says again.
mute-none = You have muted nobody.
mute-list = You have muted: { $names }.

## Signing in and out

login-done = You are signed in as { $name } at { $server }.
login-codes-void = Your recovery codes no longer work. Make new ones with: grundy password --recovery-codes
login-matches = { $count ->
    [one] You have { $count } unfinished match: grundy resume
   *[other] You have { $count } unfinished matches: grundy resume
}
logout-done = { $name } is signed out at { $server }.
logout-again = Sign in again with: grundy login { $name }
logout-lost = { $name } has no password: nobody could sign in as { $name } again
logout-lost-how = set one with 'grundy password', or lose the account with 'grundy logout --forget'
signed-out = you are signed out: your token was revoked, or has expired
signed-out-as = you are signed out as { $name } at { $server }: this computer's token was revoked, or has expired
signed-out-how = sign in again: grundy login { $name }
signed-out-how-nobody = sign in again: grundy login NAME
not-signed-in = you are not signed in at { $server }
not-signed-in-how = 'grundy config path' shows where identities are kept; --profile names another
account-where = { $version } at { $server }, as { $name }
account-new-address = { $address } says that it is the server that you know as { $known }; your secret is not sent to an address that you have not used before
account-new-address-how = if it is the same server, run once: grundy whoami --same-server --server { $address }
account-forgotten = The server at { $server } no longer knows you as { $name } (its data may have been reset). You are now a new guest. Your old identity is kept in { $file }.
account-waits-for-file = Waiting for another grundy program that is using { $file }. Ctrl-C stops waiting.
account-replaced = The server at { $server } is not the one that knew you as { $name }: it is another server, or it has lost its data. You are a new guest here; your earlier identity is kept, in case that server comes back.
account-name-how = choose another name in the configuration: 'grundy config path' shows the file
account-no-secret = the server made us a guest without a secret
account-not-bot = this token is a person's: a bot is a player of its own
account-not-bot-how = make one with: grundy token create NAME --bot --scope bot --to FILE
account-no-bot = no bot of yours has played on this server
account-no-bot-how = name the --profile with which you started 'grundy bot run'

## Passwords

secret-password = Password (hidden):
secret-current = Current password (hidden):
secret-new = New password (hidden):
secret-code = Recovery code (hidden):
secret-passphrase = Passphrase (hidden):
secret-repeat = Repeat it:
secret-differs = the two entries differ; nothing was changed
secret-differs-how = try again
secret-no-terminal = no terminal to type it at; use { $flag } FILE
secret-no-terminal-how = write it into a file that only you can read, or pipe it in: { $flag } -
secret-interrupted = interrupted
password-set = Your password is set. On another computer, sign in with: grundy login { $name }
password-codes = These are your recovery codes. If you forget your password, one of them lets you set a new one: grundy recover { $name }. After that, none of them works any more. Write them down: they are not shown again.
admin-signed-out = { $name } is signed out everywhere.
admin-codes = One of these codes sets a new password for { $shown }, and then none of them works any more: grundy recover { $name }

## Tokens

token-token = token
token-name = name
token-scopes = scopes
token-made = made
token-expires = expires
token-used-by = used by
token-this = this computer
token-codes = { $count ->
    [one] { $count } recovery code is left.
   *[other] { $count } recovery codes are left.
}
token-no-password = You have no password yet: 'grundy password' sets one.
token-in-file = The token { $name } is in { $file }. Use it with: grundy --token-file { $file }
token-keep = Keep it: it is not shown again. 'grundy token revoke' makes it void.
token-exists-how = the token exists already: 'grundy token rotate' gives another
token-revoked = The token { $name } ({ $prefix }) is revoked.
token-own = this is the token of this computer
token-own-how = to revoke it, run: grundy logout
token-several = several tokens are called '{ $name }'
token-several-how = name it by its first characters: 'grundy token list' shows them
token-none = you have no token of this name or with these first characters
token-none-how = 'grundy token list' shows yours
token-bad = the token in this file is unknown, revoked or has expired
token-bad-how = make another with: grundy token create NAME --scope play --to FILE

## Sealed files

identity-exported = { $file } has your identity { $name }, sealed. On the other computer: grundy identity import FILE
identity-imported = You are { $name } at { $server } on this computer, too.
identity-next = 'grundy whoami --server { $server }' asks the server. Delete the file when you no longer need it.
identity-passphrase = a passphrase has at least { $min } characters
identity-passphrase-how = take four or five words that do not belong together
