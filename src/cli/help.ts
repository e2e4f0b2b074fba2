import type { Command, Option, Positional } from './command.ts'
import { fitColumns, rowLines } from './terminal/layout.ts'
import { style, currentTerminal, program } from './terminal/terminal.ts'

const globalOptions: [string, string][] = [
  ['--json', 'print one JSON object; errors too, on standard error'],
  ['--help, -h', 'show help'],
]
const versionOption: [string, string] = ['--version, -v', 'show the version of the service']

/** Returns the help of a command. */
export function commandHelp(command: Command): string {
  const positionals = Object.entries(command.positionals).map(([name, positional]): [string, string] => [
    name.toUpperCase(),
    about(positional),
  ])
  const options = Object.entries(command.options).map(([name, option]): [string, string] => {
    const { value, required, multiple } = option
    const notes = [required && 'required', multiple && 'may be repeated'].filter(Boolean).join(', ')
    return [value === undefined ? `--${name}` : `--${name} ${value}`, notes ? `${about(option)} (${notes})` : about(option)]
  })
  return [
    `${heading('Usage')} ${program()} ${usage(command)}`,
    `${command.summary}.`,
    ...(command.description ? [command.description] : []),
    ...(positionals.length > 0 ? [`${heading('Arguments')}\n${columns(positionals)}`] : []),
    `${heading('Options')}\n${columns([...options, ...globalOptions])}`,
  ].join('\n\n')
}

const about = ({ description, values }: Option | Positional) => (values ? `${description}: ${values.join(', ')}` : description)

/** Returns the list of all commands, or of those in one group. */
export function formatOverview(commands: readonly Command[], group?: string): string {
  const shown = group === undefined ? commands : commands.filter(({ name }) => name.startsWith(`${group} `))
  return [
    `${heading('Usage')} ${program()} ${group ?? ''}${group === undefined ? '' : ' '}COMMAND [OPTIONS]`,
    `${heading('Commands')}\n${columns(shown.map(({ name, summary }): [string, string] => [name, summary]))}`,
    `${heading('Options')}\n${columns(group === undefined ? [...globalOptions, versionOption] : globalOptions)}`,
    'Exit status: 0 for success, 1 for a failure, 2 for wrong usage or a wrong value. Use help COMMAND or COMMAND --help for more information about a command.',
  ].join('\n\n')
}

/** Returns a reference to the help, for a usage error. */
export const hint = (command: string | undefined) => `see: ${program()} ${command === undefined ? '' : `${command} `}--help`

function usage({ name, positionals, options }: Command): string {
  const parts = Object.entries(positionals).map(([name, { optional }]) => (optional ? `[${name.toUpperCase()}]` : name.toUpperCase()))
  for (const [name, { value, required, multiple }] of Object.entries(options)) {
    const part = `--${name}${value === undefined ? '' : ` ${value}`}${multiple ? '…' : ''}`
    parts.push(required ? part : `[${part}]`)
  }
  return [name, ...parts].join(' ')
}

const heading = (text: string) => style(currentTerminal().stdout, 'bold', `${text}:`)

function columns(rows: [string, string][]): string {
  const { stdout } = currentTerminal()
  const indent = 2
  const width = stdout.isTTY && stdout.columns ? stdout.columns - indent : Number.POSITIVE_INFINITY
  const fitting = fitColumns(rows, width, (index) => index === 0)
  const lines = rows.flatMap((row) => rowLines(row, fitting, (text, index) => (index === 0 ? style(stdout, 'bold', text) : text)))
  return lines.map((line) => ' '.repeat(indent) + line).join('\n')
}
