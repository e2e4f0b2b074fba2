import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { ComponentChildren } from 'preact'
import type { Requirement } from '../../../schema/core/requires.ts'
import { prepareDocument, run } from '../../../schema/execute.ts'
import type { IconName } from '../../web/frame/icon.tsx'
import type { Form } from './form.ts'
import type { PageContext } from './page-context.ts'

/** A page's link in the navigation, whose label is the title of the page. */
export interface NavigationEntry {
  section: 'team' | 'account'
  icon: IconName
  order: number
  /** The page shows each user what their role allows, so that every member of the team can open it. */
  isForEveryone?: boolean
}

type Awaitable<Value> = Value | Promise<Value>

interface PageOptions<Data> {
  /** Express path. `:team` is the slug of the team to which the page belongs. */
  path: string
  title: string | ((data: Data, ctx: PageContext) => string)
  /** The state of the object, next to the title. */
  badge?(data: Data, ctx: PageContext): ComponentChildren
  /** Whether the page can be opened without signing in. */
  isPublic?: boolean
  /** Whether a public page has the navigation of a user who is signed in. */
  isTool?: boolean
  /** Whether the page requires a recent sign-in. By default it does when one of its operations does. */
  recentSignIn?: boolean
  nav?: NavigationEntry
  /** Path of the page above this one, whose title is fixed: it is named in the breadcrumbs and marked in the navigation. */
  parent?: string
  /** Links to what is between the parent and this page, from the top. */
  above?(data: Data, ctx: PageContext): readonly PageLink[]
  /** Script files in `src/web/scripts/`. Every page works without them. */
  scripts?: readonly string[]
  /** Runs before anything is loaded. Returns a path to redirect to, or undefined to show the page. */
  redirectBefore?(ctx: PageContext): Awaitable<string | undefined>
  forms?: Readonly<Record<string, Form>>
  /** Returns where a form leads that was shown before somebody signed in in this browser, or undefined to refuse it. */
  redirectOutdated?(ctx: PageContext): Awaitable<string | undefined>
  /**
   * What the forms act on when the path does not say it, such as the opened mail link. It is part of the CSRF token, so a
   * form submitted after it changed is refused.
   */
  formSubject?(ctx: PageContext): string
  /** The status of a page that says why a request was refused. Default: 200. */
  status?(ctx: PageContext): number
  view(data: Data, ctx: PageContext): Awaitable<ComponentChildren>
}

interface StaticPage extends PageOptions<null> {
  document?: undefined
}

interface QueryPage<Data, Variables> extends PageOptions<Data> {
  /** The query with the page's data. */
  document: TypedDocumentNode<Data, Variables>
  /** By default the query has no variables. */
  variables?(ctx: PageContext): Variables
}

export interface PageLink {
  path: string
  label: string
}

export interface PageContent {
  title: string
  /** Beside the title. */
  badge?: ComponentChildren
  content: ComponentChildren
  /** Links to what is above the content and below the parent of the page. */
  above?: readonly PageLink[]
}

/** A page of the account site, as the server runs it. */
export interface Page {
  path: string
  /** The title, if it is the same for every object. */
  fixedTitle: string | null
  isPublic: boolean
  isTool: boolean
  needsRecentSignIn: boolean
  nav: NavigationEntry | undefined
  parent: string | undefined
  scripts: readonly string[]
  requirements: readonly Requirement[]
  forms: Readonly<Record<string, Form>>
  /** Whether one of its forms has a file. */
  takesFiles: boolean
  formSubject(ctx: PageContext): string
  redirectBefore(ctx: PageContext): Awaitable<string | undefined>
  redirectOutdated(ctx: PageContext): Awaitable<string | undefined>
  status(ctx: PageContext): number
  /** Runs the query and renders the page. */
  load(ctx: PageContext): Promise<PageContent>
}

/** Declares a page: its query, its view and its forms. A document that does not match the schema stops the server at start. */
export function page<Data, Variables extends Readonly<Record<string, unknown>>>(declaration: QueryPage<Data, Variables>): Page
export function page(declaration: StaticPage): Page
export function page<Data, Variables extends Readonly<Record<string, unknown>>>(
  declaration: StaticPage | QueryPage<Data, Variables>,
): Page {
  const { loadPage, requirements } = declaration.document ? queryPage(declaration) : staticPage(declaration)
  return {
    path: declaration.path,
    fixedTitle: typeof declaration.title === 'string' ? declaration.title : null,
    isPublic: declaration.isPublic ?? false,
    isTool: declaration.isTool ?? false,
    needsRecentSignIn: declaration.recentSignIn ?? requirements.some(({ recentSignIn }) => recentSignIn),
    nav: declaration.nav,
    parent: declaration.parent,
    scripts: declaration.scripts ?? [],
    requirements,
    forms: declaration.forms ?? {},
    takesFiles: Object.values(declaration.forms ?? {}).some(({ takesFile }) => takesFile),
    formSubject: (ctx) => declaration.formSubject?.(ctx) ?? '',
    redirectBefore: (ctx) => declaration.redirectBefore?.(ctx),
    redirectOutdated: (ctx) => declaration.redirectOutdated?.(ctx),
    status: (ctx) => declaration.status?.(ctx) ?? 200,
    load: loadPage,
  }
}

interface PreparedPage {
  requirements: readonly Requirement[]
  loadPage(ctx: PageContext): Promise<PageContent>
}

function queryPage<Data, Variables extends Readonly<Record<string, unknown>>>(declaration: QueryPage<Data, Variables>): PreparedPage {
  const operation = prepareDocument(declaration.document)
  return {
    requirements: operation.requirements,
    async loadPage(ctx) {
      const data = await run<Data>(operation, declaration.variables?.(ctx) ?? {}, ctx.graphqlContext)
      return render(declaration, data, ctx)
    },
  }
}

const staticPage = (declaration: StaticPage): PreparedPage => ({
  requirements: [],
  loadPage: async (ctx) => render(declaration, null, ctx),
})

async function render<Data>({ title, badge, above, view }: PageOptions<Data>, data: Data, ctx: PageContext): Promise<PageContent> {
  return {
    title: typeof title === 'string' ? title : title(data, ctx),
    badge: badge?.(data, ctx),
    content: await view(data, ctx),
    above: above?.(data, ctx) ?? [],
  }
}
