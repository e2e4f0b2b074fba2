import type { DomainError } from '../../schema/core/errors.ts'
import { mapMembers } from '../../schema/oauth/clients/map-members.ts'
import { optionalMembers } from '../../schema/oauth/clients/optional-members.ts'
import type { OptionalMember } from '../../schema/oauth/clients/optional-members.ts'
import { nearest } from '../config/nearest.ts'
import type { Command, UntypedInput } from './command.ts'
import { CommandFailure } from './terminal/output.ts'

// GraphQL refuses an input in Laravel's words, with the names of its members. A user of the command line typed options.

/** Option for a member of an input, if the name differs. */
const optionNames: Record<string, string> = {
  scopes: 'scope',
  redirectUris: 'redirect-uri',
  grantTypes: 'grant',
  requiredScopes: 'required-scope',
  optionalScopes: 'optional-scope',
  ...mapMembers<Record<OptionalMember, string>>((member) => optionalMembers[member].option),
  expiresAt: 'expires-in',
  continueFrom: 'from',
  conditions: 'condition',
  overlapSeconds: 'overlap',
  publishSeconds: 'publish-first',
  password: 'password-stdin',
}

/** Nouns for the value of an option or argument, as in "unknown scope everything". */
const nouns: Record<string, string> = {
  'required-scope': 'scope',
  'optional-scope': 'scope',
  grant: 'grant type',
  timezone: 'time zone',
  email: 'account',
  user: 'account',
  owner: 'account',
  'client-id': 'client ID',
  client_id: 'client',
  'id-token-alg': 'algorithm',
}

/** Returns true if the option is a duration, for which the bound in the message is in seconds. */
const isDuration = (option: string) => option === 'overlap' || option === 'publish-first'

/** Returns the error of a refused operation in terms of the arguments of the call. With `--json`, `errors` stays as in GraphQL. */
export function toCommandFailure(
  { code, message, details: { errors } }: DomainError,
  command: Command,
  input: UntypedInput,
): CommandFailure {
  if (errors) {
    const refused = Object.entries(errors).flatMap(([path, texts]) => texts.map((text) => inWords(text, path, command, input)))
    const message = [...new Set(refused.map(({ clause }) => clause))].join('; ')
    const wrong = refused.filter(({ isWrongValue }) => isWrongValue)
    const suggestion = wrong.find((each) => each.suggestion !== undefined)?.suggestion
    return new CommandFailure(code, message, [], { errors }, wrong.length > 0 ? { suggestion } : undefined)
  }
  // An operator may access every team, so these always mean that the object does not exist.
  if (code === 'team_forbidden')
    return new CommandFailure(code, `unknown team ${String(input.options['team'] ?? input.positionals['slug'])}`, [], {})
  if (code === 'not_found') {
    const [value] = Object.values(input.positionals)
    return new CommandFailure(code, `unknown ${command.name.split(' ', 1)[0]} ${String(value)}`, [], {})
  }
  return new CommandFailure(code, withoutPeriod(message), [], {})
}

interface Refused {
  clause: string
  /** True if the value is wrong regardless of the stored data. Otherwise the same call may succeed later. */
  isWrongValue: boolean
  suggestion?: string | undefined
}

function inWords(text: string, path: string, command: Command, input: UntypedInput): Refused {
  const [member = '', index] = path.split('.')
  const argument = getArgument(member, command)
  if (!argument) return { clause: withoutPeriod(text), isWrongValue: false }
  const { name, label } = argument
  const value = getValue(name, index, input)
  const noun = nouns[name] ?? name
  if (/^The selected .* is invalid\.$/.test(text)) {
    const suggestions = (command.options[name] ?? command.positionals[name])?.suggestions
    const suggestion = suggestions && nearest(value ?? '', suggestions)
    // Without a list of values, the argument specifies a stored object that does not exist.
    return { clause: `unknown ${noun} ${value ?? ''}`.trim(), isWrongValue: suggestions !== undefined, suggestion }
  }
  if (text.endsWith(' has already been taken.')) return { clause: `the ${noun} ${value ?? ''} is in use already`, isWrongValue: false }
  const shown = value === undefined ? label : `${label} ${value}`
  const rule = getRule(text, argument, value)
  if (rule !== undefined) return { clause: rule, isWrongValue: true }
  const stored = /^The selected [a-z ]+? (is .*)$/.exec(text)?.[1]
  return { clause: withoutPeriod(stored === undefined ? text : `${shown} ${stored}`), isWrongValue: false }
}

/** Returns the rule that a value breaks; undefined if the text is about stored data. */
function getRule(text: string, { name, label }: { name: string; label: string }, value: string | undefined): string | undefined {
  if (text.endsWith(' field is required.')) return `${label} must not be empty`
  if (text.endsWith(' must be a date within a year.')) return `${label} must be at most 1y; it is ${value ?? ''}`
  const seconds = / must not be greater than (\d+)\.$/.exec(text)?.[1]
  if (seconds && isDuration(name)) return `${label} must be at most ${Number(seconds) / 86_400}d; it is ${value ?? ''}`
  const rule = /^The .*? field (.*)$/.exec(text)?.[1] ?? /^The (?!selected )[a-z ]+? ((?:is|must|contains) .*)$/.exec(text)?.[1]
  return rule && `${value === undefined ? label : `${label} ${value}`} ${withoutPeriod(rule)}`
}

/** Returns the option or positional argument from which a member of the input comes. */
function getArgument(member: string, { options, positionals }: Command): { name: string; label: string } | undefined {
  const kebab = member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const option = optionNames[member] ?? kebab
  if (option === 'password-stdin') return { name: option, label: 'the password' }
  if (option in options) return { name: option, label: `--${option}` }
  const positional = kebab.replaceAll('-', '_')
  if (positional in positionals) return { name: positional, label: positional.toUpperCase() }
  // Queries use an address as `email`, whatever the name of the option.
  if (member === 'email' && 'user' in options) return { name: 'user', label: '--user' }
  return undefined
}

/** Returns the value that the user typed; undefined for a flag and an empty value. */
function getValue(name: string, index: string | undefined, { options, positionals }: UntypedInput): string | undefined {
  const value = options[name] ?? positionals[name]
  const item: unknown = Array.isArray(value) ? (index === undefined && value.length > 1 ? undefined : value[Number(index ?? 0)]) : value
  return typeof item === 'string' && item !== '' ? item : undefined
}

/** Removes the period, because messages of the command line are clauses without one, like those of other programs. */
function withoutPeriod(text: string): string {
  const clause = text.replace(/\.$/, '')
  return /^[A-Z][a-z]/.test(clause) ? clause.charAt(0).toLowerCase() + clause.slice(1) : clause
}
