import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { ComponentChildren } from 'preact'
import type { z } from 'zod'
import type { Requirement } from '../../../schema/core/requires.ts'
import { parse } from '../../../schema/core/validation.ts'
import { prepareDocument, run } from '../../../schema/execute.ts'
import type { DownloadedFile } from '../../web/files/send-file.ts'
import type { PageContext } from './page-context.ts'

/** A page that a form renders directly instead of redirecting, to show a value only once. */
export interface ResultPage {
  title: string
  content: ComponentChildren
  notice?: string
}

/** A redirect to a path, by default to the form's own page, which shows the notice. */
interface Redirect {
  notice: string | undefined
  path?: string | undefined
}

/** The form filled in with other values. It was not executed. */
interface FilledInForm {
  again: Readonly<Record<string, unknown>>
}

/** A response to a script of the page. */
interface ScriptResponse {
  json: Readonly<Record<string, string>>
}

/** The response to a form that was not refused. If a form returns a path, the browser goes there and sees the form's notice. */
export type FormOutcome = Redirect | ResultPage | DownloadedFile | FilledInForm | ScriptResponse
type DeclaredOutcome = FormOutcome | string | undefined

type Awaitable<Value> = Value | Promise<Value>

interface FormOptions<Fields extends z.ZodType> {
  /** The submitted fields, each a text or a list of texts. Other fields are dropped. */
  fields: Fields
  /**
   * True for a change of permissions or credentials. The session gets a new identifier, so that an identifier that an attacker obtained
   * before is worthless.
   */
  renewsSession?: boolean
  /** True if one of the fields is a file, in `FileField`. */
  takesFile?: boolean
}

interface MutationForm<Fields extends z.ZodType, Data, Variables> extends FormOptions<Fields> {
  document: TypedDocumentNode<Data, Variables>
  /** Notice on the next page. It names the changed object. */
  notice?: string | ((data: Data, ctx: PageContext, fields: z.output<Fields>) => string)
  variables(fields: z.output<Fields>, ctx: PageContext): Awaitable<Variables>
  /** Runs before the mutation and throws if the mutation must not run. */
  guard?(fields: z.output<Fields>, ctx: PageContext): Promise<void>
  onSuccess?(data: Data, ctx: PageContext, fields: z.output<Fields>): Awaitable<DeclaredOutcome>
}

interface HandlerForm<Fields extends z.ZodType> extends FormOptions<Fields> {
  notice?: string
  /** Runs an action that is not a GraphQL mutation, such as signing in. */
  submit(fields: z.output<Fields>, ctx: PageContext): Awaitable<DeclaredOutcome>
}

/** A form of a page, as the server executes it. */
export interface PageForm {
  renewsSession: boolean
  takesFile: boolean
  /** Requirements of the mutation. A page hides the form from users who do not meet them. */
  requirements: readonly Requirement[]
  /** Validates a request body and runs the form. Throws `DomainError` if the form is refused. */
  submit(body: unknown, ctx: PageContext): Promise<FormOutcome>
}

/** Declares a form. Its fields have the names of the mutation's input fields, so that error messages appear at their fields. */
export function form<Fields extends z.ZodType, Data, Variables extends Readonly<Record<string, unknown>>>(
  declaration: MutationForm<Fields, Data, Variables> | HandlerForm<Fields>,
): PageForm {
  const { fields, renewsSession = false, takesFile = false } = declaration
  if ('submit' in declaration) {
    const submit = async (body: unknown, ctx: PageContext) =>
      toOutcome(await declaration.submit(parse(fields, body), ctx), () => declaration.notice)
    return { renewsSession, takesFile, requirements: [], submit }
  }
  const { notice } = declaration
  const operation = prepareDocument(declaration.document)
  return {
    renewsSession,
    takesFile,
    requirements: operation.requirements,
    async submit(body, ctx) {
      const input = parse(fields, body)
      await declaration.guard?.(input, ctx)
      const data = await run<Data>(operation, await declaration.variables(input, ctx), ctx.graphqlContext)
      const outcome = await declaration.onSuccess?.(data, ctx, input)
      return toOutcome(outcome, () => (typeof notice === 'function' ? notice(data, ctx, input) : notice))
    },
  }
}

const toOutcome = (declared: DeclaredOutcome, getNotice: () => string | undefined): FormOutcome =>
  typeof declared === 'object' ? declared : { notice: getNotice(), path: declared }
