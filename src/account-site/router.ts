import { Router, urlencoded } from 'express'
import type { RequestHandler } from 'express'
import { allow } from '../allow.ts'
import { cookieOf, findSession, sessionCookie } from '../session-credential.ts'
import { createSeal } from './csrf.ts'
import { signOut } from './sign-in/sign-out.ts'
import { downloads, pages } from './pages.ts'
import { createServe } from './serve.tsx'
import { showTrouble, notFound } from './troubles.ts'
import type { SitePorts } from './visit.ts'

interface RouterPorts {
  site: SitePorts
  /** Gives each request a turn at the authorization server, with which the site shares its sessions. */
  turn: RequestHandler
}

/** The account site, to be mounted at the root after everything else: what it does not know is a page that says so. */
export function createAccountSite({ site, turn }: RouterPorts): Router {
  const { database, now, authUrl, sessions, report } = site
  const name = sessionCookie(authUrl)
  const person: RequestHandler = async (request, response, next) => {
    const session = await findSession(database.pool, cookieOf(request.headers.cookie, name), now())
    if (session) {
      response.locals['person'] = session.principal
      if (now().getTime() - session.lastUsedAt.getTime() >= 60_000) await sessions.note(request, response, session.principal.credentialId)
    }
    next()
  }
  const serve = createServe({ site, seal: createSeal(site.deriveSecret), pages, everywhere: { 'sign-out': signOut } })

  const router = Router({ caseSensitive: true, strict: true })
  for (const page of pages) {
    const steps = [turn, person]
    router.all(page.path, allow('GET', 'POST'))
    router.get(page.path, ...steps, serve.get(page))
    router.post(page.path, ...steps, urlencoded({ extended: false, limit: '64kb' }), serve.post(page))
  }
  for (const download of downloads) router.get(download.path, turn, person, serve.download(download))
  router.use(notFound)
  router.use(showTrouble(report))
  return router
}
