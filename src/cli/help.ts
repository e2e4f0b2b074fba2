import type { Command } from './command.ts'

const program = 'npm run -s cli --'
const everywhere: [string, string][] = [
  ['--json', 'one JSON object for machines; errors too, on stderr'],
  ['--help', 'this text'],
]

/** The help of one command. */
export function commandHelp(command: Command): string {
  const positionals = Object.entries(command.positionals).map(([name, { about }]): [string, string] => [name.toUpperCase(), about])
  const options = Object.entries(command.options).map(([name, { value, about, required, multiple }]): [string, string] => {
    const notes = [required && 'required', multiple && 'may be repeated'].filter(Boolean).join(', ')
    return [value === undefined ? `--${name}` : `--${name} ${value}`, notes ? `${about} (${notes})` : about]
  })
  return [
    `Usage: ${program} ${usage(command)}`,
    command.about,
    ...(command.notes ? [command.notes] : []),
    ...(positionals.length > 0 ? [`Arguments:\n${columns(positionals)}`] : []),
    `Options:\n${columns([...options, ...everywhere])}`,
  ].join('\n\n')
}

/** The commands, all or those of one group. */
export function overview(commands: readonly Command[], group?: string): string {
  const shown = group === undefined ? commands : commands.filter(({ name }) => name.startsWith(`${group} `))
  return [
    `Usage: ${program} ${group ?? ''}${group === undefined ? '' : ' '}COMMAND [OPTIONS]`,
    `Commands:\n${columns(shown.map(({ name, about }): [string, string] => [name, about]))}`,
    `Options:\n${columns(everywhere)}`,
    'Exit status: 0 done, 1 failed or refused, 2 called wrongly. COMMAND --help says more about one.',
  ].join('\n\n')
}

/** Where somebody who called wrongly finds out more. */
export const hint = (command: string | undefined) => `see: ${program} ${command === undefined ? '' : `${command} `}--help`

function usage({ name, positionals, options }: Command): string {
  const parts = Object.entries(positionals).map(([name, { optional }]) => (optional ? `[${name.toUpperCase()}]` : name.toUpperCase()))
  for (const [name, { value, required, multiple }] of Object.entries(options)) {
    const part = `--${name}${value === undefined ? '' : ` ${value}`}${multiple ? '…' : ''}`
    parts.push(required ? part : `[${part}]`)
  }
  return [name, ...parts].join(' ')
}

function columns(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([term]) => term.length))
  return rows.map(([term, about]) => `  ${term.padEnd(width)}  ${about}`).join('\n')
}
