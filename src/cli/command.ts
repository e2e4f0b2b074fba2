/** An option of a command. Without `value` it is a flag. */
interface Option {
  about: string
  /** What stands for its value in the help, such as `SLUG`. */
  value?: string
  required?: boolean
  /** May be given more than once. */
  multiple?: boolean
}

/** A positional argument of a command. */
interface Positional {
  about: string
  optional?: boolean
}

type Options = Readonly<Record<string, Option>>
type Positionals = Readonly<Record<string, Positional>>

type OptionValue<O extends Option> = O extends { value: string }
  ? O extends { multiple: true }
    ? string[]
    : O extends { required: true }
      ? string
      : string | undefined
  : boolean
type PositionalValue<P extends Positional> = P extends { optional: true } ? string | undefined : string

/** What a command was called with, by the names of its declaration. */
interface Input<O extends Options, P extends Positionals> {
  options: { [Name in keyof O]: OptionValue<O[Name]> }
  positionals: { [Name in keyof P]: PositionalValue<P[Name]> }
  /** Whether a machine is to read the answer. */
  json: boolean
}

/** The same before a declaration gives it types. */
export interface UntypedInput {
  options: Readonly<Record<string, unknown>>
  positionals: Readonly<Record<string, unknown>>
  json: boolean
}

/** What a command has to say when it did not fail. */
export interface Answer {
  /** For `--json`: one object, in snake_case; null where there is nothing more to say. */
  value: object | null
  /** For people; may be empty. */
  text: string
  /** 1 when part of the work failed and was reported. */
  status?: 0 | 1
}

/** A command, its words and what it takes. Dispatch, parsing and help derive from it. */
export interface Command {
  /** The words that call it: `token create`. */
  name: string
  about: string
  /** Further lines of its help. */
  notes?: string
  options: Options
  positionals: Positionals
  run(input: UntypedInput): Promise<Answer | undefined>
}

interface Declaration<O extends Options, P extends Positionals> {
  name: string
  about: string
  notes?: string
  options?: O
  positionals?: P
  /** Answers undefined when it has already written all there is to say. */
  run(input: Input<O, P>): Promise<Answer | undefined>
}

/** Declares a command; its `run` receives what the declaration says, by type. */
export function command<const O extends Options = Options, const P extends Positionals = Positionals>(
  declaration: Declaration<O, P>,
): Command {
  // The parser gives a command exactly what its own declaration asks for.
  return { options: {}, positionals: {}, ...declaration }
}

/** Thrown for a call that does not follow the declaration: exit status 2. */
export class UsageError extends Error {
  /** The words it was meant for, as far as they are clear: the hint leads to their help. */
  command: string | undefined

  constructor(message: string, command?: string) {
    super(message)
    this.name = 'UsageError'
    this.command = command
  }
}
