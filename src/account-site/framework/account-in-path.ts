import type { Request } from 'express'
import { readAccountInSupportSession } from '../../../schema/accounts/support-sessions/account-reading.ts'
import type { Context } from '../../../schema/core/context.ts'
import { notFound } from '../../../schema/core/errors.ts'
import type { UserPrincipal } from '../../../schema/core/principals.ts'
import { accountPagesAt } from '../../web/page-paths.ts'

/** The account in the path of a request, whose pages staff read in a support session. */
export interface AccountInPath {
  /** The user, as the viewer of the page. */
  person: UserPrincipal
  /** Start of the addresses of the pages of the account. */
  pagesStart: string
  support: { context: Context; expiresAt: Date }
}

/** Starts the reading of a page of an account, only by GET. Throws `not_found` for everybody else, as all pages of staff do. */
export async function openAccountInPath(context: Context, userId: string, request: Request): Promise<AccountInPath> {
  const pagesStart = accountPagesAt(userId)
  const [path = ''] = request.originalUrl.split('?')
  const isReadable = request.method === 'GET' && path.startsWith(`${pagesStart}/`)
  const reading = isReadable ? await readAccountInSupportSession(context, userId, path.slice(pagesStart.length)) : null
  if (!reading) throw notFound()
  const { principal, expiresAt } = reading
  return { person: principal, pagesStart, support: { context: { ...context, principal }, expiresAt } }
}
