import { pages } from '../../../src/account-site/pages.ts'

/** Pages that only redirect, with their targets. */
const redirects: Readonly<Record<string, string>> = {
  '/': '/teams/:firstTeam',
  '/links/:secret': '/reset-password',
  '/invitations/:secret': '/invitation',
  '/sign-in/link': '/sign-in',
}

/** Pages that refuse a request without the answer of a provider, or for one that cannot be reached. */
const refusals = new Set(['/sign-in/start/:provider', '/sign-in/callback/:provider'])

const isOfStaff = ({ path }: { path: string }) => `${path}/`.startsWith('/staff/')

type Parameters = Readonly<Record<string, string>>

/**
 * Every declared page but those of staff with its path parameters filled in, its status, and the path at which a browser ends that opens it.
 */
export const everyPage = (parameters: Parameters) => fillPages((page) => !isOfStaff(page), parameters)

/** The same for the pages of staff. */
export const everyStaffPage = (parameters: Parameters) => fillPages(isOfStaff, parameters)

function fillPages(isIncluded: (page: (typeof pages)[number]) => boolean, parameters: Parameters) {
  const fill = (path: string) =>
    path.replace(/:(\w+)/g, (_, name: string) => {
      const value = parameters[parameterKeyOf(path, name)]
      if (value === undefined) throw new Error(`no value for the parameter ${name} of ${path}`)
      return value
    })
  return pages.filter(isIncluded).map(({ path, isPublic }) => {
    const status = refusals.has(path) ? 400 : 200
    return { declared: path, path: fill(path), endsAt: fill(redirects[path] ?? path), isPublic, status }
  })
}

/** Distinguishes parameters that have the same name in different paths. */
function parameterKeyOf(path: string, name: string): string {
  if (name === 'token' && path.startsWith('/teams/')) return 'teamToken'
  return name === 'secret' && path.startsWith('/links/') ? 'link' : name
}
