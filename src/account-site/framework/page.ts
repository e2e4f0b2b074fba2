import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { ComponentChildren } from 'preact'
import type { Requirement } from '../../../schema/core/requires.ts'
import { prepareDocument, run } from '../../../schema/execute.ts'
import type { Tab } from '../../web/components/tabs.tsx'
import type { IconName } from '../../web/icon.tsx'
import type { PageForm, ResultPage } from './form.ts'
import type { PageContext } from './page-context.ts'

/** Groups of links in the navigation, from the top. The groups without a title contain pages that every member can open. */
export const navigationGroups = [
  { name: 'overview', area: 'team', title: null },
  { name: 'people', area: 'team', title: 'People' },
  { name: 'billing', area: 'team', title: 'Billing' },
  { name: 'developers', area: 'team', title: 'Developers' },
  { name: 'security', area: 'team', title: 'Security' },
  { name: 'settings', area: 'team', title: null },
  { name: 'account', area: 'account', title: 'Your account' },
  { name: 'staff', area: 'staff', title: 'Support desk' },
] as const

export type NavigationGroupName = (typeof navigationGroups)[number]['name']

/** A page's link in the navigation. */
export interface NavigationEntry {
  group: NavigationGroupName
  /** Each page has an icon of its own. */
  icon: IconName
  /** Place among the links of the group. */
  order: number
  /** Default: the title of the page. */
  label?: string
  /** True if every member of the team can open the page, because it shows each user what their role allows. */
  isForEveryone?: boolean
}

type Awaitable<Value> = Value | Promise<Value>

interface PageDeclaration<Loaded, Data, Variables> {
  /** Express path. `:team` is the slug of the team to which the page belongs. */
  path: string
  /** Runs before the query and the forms. Returns additional data for the view, or a path to redirect to. */
  load?(ctx: PageContext): Awaitable<Loaded | string | undefined>
  /** The query with the page's data. */
  document?: TypedDocumentNode<Data, Variables>
  /** Returns the variables of the query. By default it has none. */
  variables?(ctx: PageContext): Variables
  title: string | ((data: Data & Loaded, ctx: PageContext) => string)
  /** Returns the state of the object, shown next to the title. */
  badge?(data: Data & Loaded, ctx: PageContext): ComponentChildren
  /** True if the page can be opened without signing in. */
  isPublic?: boolean
  /** True if a public page shows the navigation to a user who is signed in. */
  isTool?: boolean
  /** True if the page requires a recent sign-in. By default this is so if one of its operations requires one. */
  recentSignIn?: boolean
  nav?: NavigationEntry
  /** Path of the page above this one. Its title must be fixed, because the breadcrumbs show it and the navigation marks it. */
  parent?: string
  /** Returns links to the pages between the parent and this page, from the top. */
  above?(data: Data & Loaded, ctx: PageContext): readonly PageLink[]
  /**
   * The pages of the object, including this one. Their paths are those of declarations. The pages have the name of the object as their title,
   * and links to each other below it.
   */
  tabs?: readonly PageLink[]
  /** Script files in `src/web/scripts/`. Every page works without scripts. */
  scripts?: readonly string[]
  forms?: Readonly<Record<string, PageForm>>
  /** Returns the target of a form that was shown before someone signed in with this browser, or undefined to refuse the form. */
  redirectOutdated?(ctx: PageContext): Awaitable<string | undefined>
  /**
   * Returns the subject of the forms if it is not in the path, such as the opened mail link. It is part of the CSRF token, so a form
   * submitted after it changed is refused.
   */
  formSubject?(ctx: PageContext): string
  /** Returns the status of a page that explains why a request was refused. */
  status?(data: Data & Loaded): number | undefined
  view(data: Data & Loaded, ctx: PageContext): Awaitable<ComponentChildren>
}

export interface PageLink {
  path: string
  label: string
}

export interface PageContent extends ResultPage {
  /** Status of the response. Default: 200. */
  status?: number | undefined
  /** Content on the same line as the title. */
  badge?: ComponentChildren
  /** Links to the pages between the parent and this page. */
  above?: readonly PageLink[]
  /** Links to the pages of the same object. */
  tabs?: readonly Tab[]
}

/** A page of the account site, as the server executes it. */
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
  forms: Readonly<Record<string, PageForm>>
  /** True if one of the forms has a file. */
  takesFiles: boolean
  formSubject(ctx: PageContext): string
  redirectOutdated(ctx: PageContext): Awaitable<string | undefined>
  /** Returns a path to redirect to, or a function that runs the query and renders the page. */
  open(ctx: PageContext): Promise<string | LoadContent>
}

export type LoadContent = () => Promise<PageContent>

/** Fills in the path of a declaration that contains no parameter which the current page lacks. */
export const buildPath = (path: string, ctx: PageContext): string =>
  ctx.pagesStart + path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(ctx.param(name)))

/** Merges the data of a page. For a declaration without a query or `load`, the type of its data is an empty object. */
function mergeData<Data extends object, Loaded extends object>(queried: Data | undefined, loaded: Loaded | undefined): Data & Loaded
function mergeData(queried?: object, loaded?: object): object {
  return { ...queried, ...loaded }
}

/** Declares a page: its query, its view and its forms. The build has validated its documents. */
export function page<Loaded extends object, Data extends object, Variables extends Readonly<Record<string, unknown>>>(
  declaration: PageDeclaration<Loaded, Data, Variables>,
): Page {
  const { path, title, forms = {} } = declaration
  const operation = declaration.document && prepareDocument(declaration.document)
  const requirements = operation?.requirements ?? []
  return {
    path,
    fixedTitle: typeof title === 'string' ? title : null,
    isPublic: declaration.isPublic ?? false,
    isTool: declaration.isTool ?? false,
    needsRecentSignIn: declaration.recentSignIn ?? requirements.some(({ recentSignIn }) => recentSignIn),
    nav: declaration.nav,
    parent: declaration.parent,
    scripts: declaration.scripts ?? [],
    requirements,
    forms,
    takesFiles: Object.values(forms).some(({ takesFile }) => takesFile),
    formSubject: (ctx) => declaration.formSubject?.(ctx) ?? '',
    redirectOutdated: (ctx) => declaration.redirectOutdated?.(ctx),
    async open(ctx) {
      const loaded = await declaration.load?.(ctx)
      if (typeof loaded === 'string') return loaded
      return async () => {
        const queried = operation && (await run<Data>(operation, declaration.variables?.(ctx) ?? {}, ctx.graphqlContext))
        const data = mergeData(queried, loaded)
        return {
          status: declaration.status?.(data),
          title: typeof title === 'string' ? title : title(data, ctx),
          badge: declaration.badge?.(data, ctx),
          content: await declaration.view(data, ctx),
          above: declaration.above?.(data, ctx) ?? [],
          tabs: (declaration.tabs ?? []).map((tab) => ({
            label: tab.label,
            path: buildPath(tab.path, ctx),
            isCurrent: tab.path === path,
          })),
        }
      }
    },
  }
}
