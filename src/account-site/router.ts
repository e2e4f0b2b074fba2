import { Router, urlencoded } from 'express'
import type { RequestHandler } from 'express'
import { allow } from '../allow.ts'
import type { AuthenticateSession } from '../authenticate-session.ts'
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
  authenticateSession: AuthenticateSession
}

/** The account site, to be mounted at the root after everything else: what it does not know is a page that says so. */
export function createAccountSite({ site, turn, authenticateSession }: RouterPorts): Router {
  const person: RequestHandler = async (request, response, next) => {
    response.locals['person'] = await authenticateSession(request, response)
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
  for (const download of downloads) {
    router.all(download.path, allow('GET'))
    router.get(download.path, turn, person, serve.download(download))
  }
  router.use(notFound)
  router.use(showTrouble(site.report))
  return router
}
