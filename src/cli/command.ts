/** Stored objects for which commands have a key: the slug of a team, the email address of a user, or an identifier. */
export type StoredKind = 'team' | 'deletedTeam' | 'user' | 'client' | 'token' | 'webhook' | 'identity' | 'provider' | 'mail'

/** Values that an option or a positional argument accepts. */
interface Values {
  /** The only accepted values. The parser refuses others, and the help lists them. */
  values?: readonly string[]
  /** Values that the operation accepts, for completion. For a refused value, the error suggests the nearest of them. */
  suggestions?: readonly string[]
  /** Kind of objects whose keys complete the value. */
  stored?: StoredKind
}

/** The `values` of an option that turns something on or off. */
export const yesOrNo = ['yes', 'no'] as const
export type YesOrNo = (typeof yesOrNo)[number]

/** An option of a command. Without `value` it is a flag. */
export interface Option extends Values {
  description: string
  /** Placeholder of the value in the help, such as `SLUG`. */
  value?: string
  required?: boolean
  /** True if the option may be repeated. */
  multiple?: boolean
}

/** A positional argument of a command. */
export interface Positional extends Values {
  description: string
  optional?: boolean
}

type Options = Readonly<Record<string, Option>>
type Positionals = Readonly<Record<string, Positional>>

type ValueOf<A extends Values> = A extends { values: readonly (infer Value)[] } ? Value : string
type OptionValue<O extends Option> = O extends { value: string }
  ? O extends { multiple: true }
    ? ValueOf<O>[]
    : O extends { required: true }
      ? ValueOf<O>
      : ValueOf<O> | undefined
  : boolean
type PositionalValue<P extends Positional> = P extends { optional: true } ? ValueOf<P> | undefined : ValueOf<P>

/** The values of options, by the names in the declaration. */
export type OptionValues<O extends Options> = { [Name in keyof O]: OptionValue<O[Name]> }

/** The arguments of a call, by the names in the declaration. */
interface Input<O extends Options, P extends Positionals> {
  options: OptionValues<O>
  positionals: { [Name in keyof P]: PositionalValue<P[Name]> }
  /** True if `--json` was used. */
  json: boolean
}

/** The arguments of a call to any command. */
export interface UntypedInput {
  options: Readonly<Record<string, unknown>>
  positionals: Readonly<Record<string, unknown>>
  json: boolean
}

/** The output of a command that did not fail. */
export interface CommandResult {
  /** Output with `--json`: one object in snake_case, or null for no output. */
  value: object | null
  /** Output without `--json`; may be empty. */
  text: string
  /** Exit status: 1 if a part of the work failed and was reported. */
  status?: 0 | 1
}

/** A command. Dispatch, argument parsing, help and completion derive from its declaration. */
export interface Command {
  /** Name that the user types: `token create`. */
  name: string
  /** One line for the list of commands. */
  summary: string
  /** Further paragraphs of the command's help. */
  description?: string
  options: Options
  positionals: Positionals
  /** Returns the question that the user must confirm before the command runs. The command then has the option --yes. */
  confirmation?(positionals: UntypedInput['positionals']): string
  run(input: UntypedInput): Promise<CommandResult | undefined>
}

interface Declaration<O extends Options, P extends Positionals> {
  name: string
  summary: string
  description?: string
  options?: O
  positionals?: P
  confirmation?(positionals: Input<O, P>['positionals']): string
  /** Runs the command. Returns undefined if the output has already been written. */
  run(input: Input<O, P>): Promise<CommandResult | undefined>
}

/** Declares a command. The arguments of `run` are typed by the declaration. */
export function command<const O extends Options = Options, const P extends Positionals = Positionals>(
  declaration: Declaration<O, P>,
): Command {
  // The parser passes exactly the arguments that the declaration contains.
  const options = { ...declaration.options, ...(declaration.confirmation && { yes: { description: 'do not ask for confirmation' } }) }
  return { positionals: {}, ...declaration, options }
}

/** The error for a call that does not match the declaration. The exit status is 2. */
export class UsageError extends Error {
  /** The command or group, as far as it was recognized. The message refers to its help. */
  command: string | undefined
  /** The value that the user probably meant. */
  readonly suggestion: string | undefined

  constructor(message: string, command?: string, suggestion?: string) {
    super(message)
    this.name = 'UsageError'
    this.command = command
    this.suggestion = suggestion
  }
}
