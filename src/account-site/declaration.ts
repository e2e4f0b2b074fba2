import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { ComponentChildren } from 'preact'
import type { z } from 'zod'
import { prepareDocument, run } from '../../schema/execute.ts'
import type { TypedOperation } from '../../schema/execute.ts'
import type { Requirement } from '../../schema/requires.ts'
import type { Visit } from './visit.ts'

/** A page that answers a form instead of leading on, for what is shown once. */
export interface Shown {
  title: string
  content: ComponentChildren
}

/** What follows a form: an address of ours, a page shown once, or nothing: back to the page itself. */
export type Outcome = string | Shown | undefined

/** Where a page's link stands in the navigation. */
export interface NavigationEntry {
  in: 'team' | 'account'
  label: string
  order: number
}

type Awaitable<Value> = Value | Promise<Value>

interface Common<Fields extends z.ZodType> {
  /** What the browser sends, text or lists of text; names that are not here are dropped. */
  fields: Fields
  /** Said on the page that follows. */
  notice?: string
  /** For what changes what the person may do, or signs in by: the session gets a new identifier, the one seen before opens nothing. */
  renews?: boolean
}

interface OperationForm<Fields extends z.ZodType, Data, Variables> extends Common<Fields> {
  /** The mutation. */
  document: TypedDocumentNode<Data, Variables>
  variables(fields: z.output<Fields>, visit: Visit): Variables
  /** Before the mutation: throws where it is not to be tried. */
  guard?(fields: z.output<Fields>, visit: Visit): Promise<void>
  done?(data: Data, visit: Visit, fields: z.output<Fields>): Awaitable<Outcome>
}

interface StepForm<Fields extends z.ZodType> extends Common<Fields> {
  /** For what is no operation of the schema: saying who one is. */
  work(fields: z.output<Fields>, visit: Visit): Awaitable<Outcome>
}

/** A form of a page, as it is served. */
export interface Form {
  fields: z.ZodType
  notice: string | undefined
  renews: boolean
  /** What its mutation needs: whoever lacks it is not shown the form. */
  requirements: readonly Requirement[]
  submit(fields: unknown, visit: Visit): Promise<Outcome>
}

/** Declares a form: the names of its fields are those of the mutation's input, for its errors to find them. */
export function form<Fields extends z.ZodType, Data, Variables>(declared: OperationForm<Fields, Data, Variables> | StepForm<Fields>): Form {
  const { fields, notice, renews = false } = declared
  if ('work' in declared)
    return { fields, notice, renews, requirements: [], submit: async (given, visit) => declared.work(given as z.output<Fields>, visit) }
  const operation = prepareDocument(declared.document)
  return {
    fields,
    notice,
    renews,
    requirements: operation.requirements,
    async submit(given, visit) {
      const typed = given as z.output<Fields>
      await declared.guard?.(typed, visit)
      const data = await run<Data>(operation, declared.variables(typed, visit) as object as Record<string, unknown>, visit.context)
      return declared.done?.(data, visit, typed)
    },
  }
}

interface PageDeclaration<Data, Variables> {
  /** Express' path; `:team` is the slug of the team whose page it is. */
  path: string
  title: string | ((data: Data, visit: Visit) => string)
  /** Absent: for people who are signed in. */
  for?: 'anyone'
  /** The password is asked for first where the sign-in is not recent. Absent: where the document needs it. */
  recentSignIn?: boolean
  nav?: NavigationEntry
  /** Scripts it loads, by their files in `scripts/`: comfort alone. */
  scripts?: readonly string[]
  document?: TypedDocumentNode<Data, Variables>
  variables?(visit: Visit): Variables
  /** Before anything is read: another address to lead to, where the page is not for this visit. */
  before?(visit: Visit): Awaitable<string | undefined>
  forms?: Readonly<Record<string, Form>>
  /** What its forms are about, where the address does not say it: sent about anything else, they are refused. */
  about?(visit: Visit): string
  view(data: Data, visit: Visit): ComponentChildren | Promise<ComponentChildren>
}

/** A page of the account site, as it is served. */
export interface Page {
  path: string
  title(data: unknown, visit: Visit): string
  isForAnyone: boolean
  needsRecentSignIn: boolean
  nav: NavigationEntry | undefined
  scripts: readonly string[]
  requirements: readonly Requirement[]
  forms: Readonly<Record<string, Form>>
  about(visit: Visit): string
  before(visit: Visit): Awaitable<string | undefined>
  load(visit: Visit): Promise<unknown>
  view(data: unknown, visit: Visit): ComponentChildren | Promise<ComponentChildren>
}

/** Declares a page: one query, what it looks like, and its forms. A document that does not fit the schema stops the start. */
export function page<Data = null, Variables = never>(declared: PageDeclaration<Data, Variables>): Page {
  const { document, title, variables } = declared
  const operation: TypedOperation<Data, Variables> | undefined = document && prepareDocument(document)
  const requirements = operation?.requirements ?? []
  return {
    path: declared.path,
    title: (data, visit) => (typeof title === 'string' ? title : title(data as Data, visit)),
    isForAnyone: declared.for === 'anyone',
    needsRecentSignIn: declared.recentSignIn ?? requirements.some(({ recentSignIn }) => recentSignIn),
    nav: declared.nav,
    scripts: declared.scripts ?? [],
    requirements,
    forms: declared.forms ?? {},
    about: (visit) => declared.about?.(visit) ?? '',
    before: (visit) => declared.before?.(visit),
    load: async (visit) => operation && run(operation, (variables?.(visit) ?? {}) as Record<string, unknown>, visit.context),
    view: (data, visit) => declared.view(data as Data, visit),
  }
}

interface DownloadDeclaration<Data, Variables> {
  path: string
  document: TypedDocumentNode<Data, Variables>
  variables(visit: Visit): Variables
  file(data: Data): Promise<DownloadedFile>
}

export interface DownloadedFile {
  /** As people see it; any characters. */
  name: string
  type: string
  body: Buffer
}

/** A file made of one query, as it is served. */
export interface Download {
  path: string
  make(visit: Visit): Promise<DownloadedFile>
}

/** Declares a file that people who are signed in can load. */
export function download<Data, Variables>({ path, document, variables, file }: DownloadDeclaration<Data, Variables>): Download {
  const operation = prepareDocument(document)
  return { path, make: async (visit) => file(await run<Data>(operation, variables(visit) as Record<string, unknown>, visit.context)) }
}
