# The frame of the help, and what the parser of the command line does not understand. In English the parser has its own words.

thinking-progress = Solving: { $seconds } s of at most { $most } s.
help-usage = Usage:{" "}
help-commands = Commands
help-options = Options
help-arguments = Arguments
help-global = Global options
help-group-play = Play
help-group-study = Study
help-group-bots = Bots and tournaments
help-group-account = Account
help-group-tools = Tools
help-options-name = [OPTIONS]
help-command-name = [COMMAND]
help-of-help = Print this message or the help of the given subcommand(s)
help-help = Print help
help-version = Print version
help-more = For more information, try '--help'.
help-alias = { $about } [alias: { $aliases }]
help-default = {" "}[default: { $value }]
help-values = {" "}[possible values: { $values }]
help-values-long = Possible values:
help-value = - { $name }: { $about }
help-comma = {", "}
usage-twice = { $prior ->
   *[any] the argument '{ $argument }' cannot be used multiple times
}
usage-conflict = the argument '{ $argument }' cannot be used with '{ $prior }'
usage-no-value = a value is required for '{ $argument }' but none was supplied
usage-bad-value = invalid value '{ $value }' for '{ $argument }'
usage-misread = invalid value '{ $value }' for '{ $argument }': { $why }
usage-no-subcommand = unrecognized subcommand '{ $name }'
usage-subcommand = '{ $name }' requires a subcommand but one was not provided
usage-missing = the following required arguments were not provided: { $arguments }
usage-unknown = unexpected argument '{ $argument }' found
usage-other = { $said }
usage-range = it is not in { $range }
usage-invalid = { $said }
usage-values = possible values: { $names }
usage-subcommands = subcommands: { $names }
usage-meant = similar: { $names }
