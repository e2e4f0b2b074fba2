import type { Request, RequestHandler, Response } from 'express'
import type { VNode } from 'preact'
import { z } from 'zod'
import { statusOf } from '../../rest-facade/problem.ts'
import { DomainError, asRefusal, forbidden } from '../../schema/errors.ts'
import { isRecent } from '../../schema/requires.ts'
import { parse } from '../../schema/validation.ts'
import { confirmAt, signInAt } from './addresses.ts'
import { isFromOwnPage } from './csrf.ts'
import type { Seal } from './csrf.ts'
import type { Download, Form, Outcome, Page, Shown } from './declaration.ts'
import { FormsOfPage } from './form.tsx'
import { Frame } from './frame.tsx'
import type { NavigationLink } from './frame.tsx'
import { pageHeaders } from './headers.ts'
import { PlainFrame, renderPage } from './page.tsx'
import { keepUnsent, takeUnsent } from './unsent.ts'
import { createVisit } from './visit.ts'
import type { SitePorts, Visit } from './visit.ts'

export interface ServePorts {
  site: SitePorts
  seal: Seal
  /** Every page, for the navigation. */
  pages: readonly Page[]
  /** Forms that every page has. */
  everywhere: Readonly<Record<string, Form>>
}

/** A form that no page of ours was sent for, or not to this person in this browser. */
export class UnsealedForm extends Error {}

const dayInSeconds = 86_400

/** Serves the pages as they are declared. */
export function createServe({ site, seal, pages, everywhere }: ServePorts) {
  const browserOf = ({ cookies }: Visit): string => {
    const known = cookies.get('browser')
    if (known !== undefined) return known
    const made = crypto.randomUUID()
    cookies.set('browser', made, 30 * dayInSeconds)
    return made
  }
  // The path without the query, which says where a page leads and which part of a list it shows, never what a form does.
  const sealed = (page: Page, visit: Visit, name: string) =>
    ['page', browserOf(visit), visit.person?.credentialId ?? '', visit.path, page.about(visit), name] as const

  const isTooLate = (page: Page, visit: Visit) => page.needsRecentSignIn && !isRecent(visit.principal, site.now())

  async function visitOf(page: Page, request: Request, response: Response, isEverywhere = false): Promise<Visit | null> {
    // What every page has needs nothing of what the page needs: nobody gives a password to sign out, or is in a team for it.
    const visit = await createVisit(site, response.locals['person'] ?? null, request, response, !isEverywhere)
    const leads = (path: string) => (response.redirect(303, path), null)
    if (!visit.person && !page.isForAnyone) return leads(signInAt(visit.address))
    if (isEverywhere) return visit
    if (request.method === 'GET' && isTooLate(page, visit)) return leads(confirmAt(visit.address))
    const elsewhere = await page.before(visit)
    return elsewhere === undefined ? visit : leads(elsewhere)
  }

  async function show(page: Page, visit: Visit, status = 200, shown?: Shown): Promise<void> {
    const alert = visit.refused?.error.message
    // Read before the view: what it takes from the database is of this moment.
    const data = shown ? null : await page.load(visit)
    const title = shown?.title ?? page.title(data, visit)
    const content = shown?.content ?? (await page.view(data, visit))
    const notice = visit.cookies.get('notice')
    if (notice !== undefined) visit.cookies.clear('notice')
    const surroundings = { action: visit.address, sealOf: (name: string) => seal.of(...sealed(page, visit, name)), refused: visit.refused }
    const common = { title, alert, notice, scripts: page.scripts }
    send(
      visit,
      status,
      <FormsOfPage.Provider value={surroundings}>
        {visit.person && !page.isForAnyone ? (
          <Frame {...common} visit={visit} navigation={navigationOf(visit)}>
            {content}
          </Frame>
        ) : (
          <PlainFrame {...common}>{content}</PlainFrame>
        )}
      </FormsOfPage.Provider>,
    )
  }

  const entries = pages
    .flatMap(({ nav, path, requirements }) => (nav ? [{ ...nav, path, requirements }] : []))
    .toSorted((one, other) => one.order - other.order)

  function navigationOf(visit: Visit) {
    const linksIn = (place: 'team' | 'account'): NavigationLink[] =>
      entries
        .filter((entry) => entry.in === place && visit.may(entry.requirements))
        .map(({ label, path }) => {
          const address = path.replace(':team', visit.team?.team.slug ?? '')
          return { label, path: address, isCurrent: visit.path === address || visit.path.startsWith(`${address}/`) }
        })
    return { team: visit.team ? linksIn('team') : [], account: linksIn('account') }
  }

  const get =
    (page: Page): RequestHandler =>
    async (request, response) => {
      const visit = await visitOf(page, request, response)
      if (!visit) return
      visit.refused = takeUnsent(visit)
      await show(page, visit)
    }

  const post =
    (page: Page): RequestHandler =>
    async (request, response) => {
      if (!isFromOwnPage(request.headers, site.authUrl)) throw new UnsealedForm()
      const { form: name, csrf } = envelope.parse(request.body ?? {})
      const own = formIn(page.forms, name)
      const form = own ?? formIn(everywhere, name)
      const isEverywhere = form !== own
      const visit = await visitOf(page, request, response, isEverywhere)
      if (!visit) return
      if (!form || !seal.isRight(csrf, ...sealed(page, visit, name))) throw new UnsealedForm()
      try {
        if (!isEverywhere && isTooLate(page, visit)) throw forbidden('recent_sign_in_required')
        const outcome = await form.submit(parse(form.fields, request.body), visit)
        if (form.renews) await site.sessions.renew(request, response)
        await lead(visit, page, form, outcome)
      } catch (error) {
        const refusal = asRefusal(error)
        if (!(refusal instanceof DomainError)) throw error
        const sent = request.body as Record<string, unknown>
        if (refusal.code === 'recent_sign_in_required') {
          keepUnsent(visit, name, sent)
          return response.redirect(303, confirmAt(visit.address))
        }
        if (!shownAtForm.has(refusal.code)) throw error
        if (refusal.details.retryAfterSeconds !== undefined) response.set('Retry-After', String(refusal.details.retryAfterSeconds))
        visit.refused = { name, values: sent, error: refusal }
        await show(page, visit, statusOf[refusal.code])
      }
    }

  async function lead(visit: Visit, page: Page, form: Form, outcome: Outcome): Promise<void> {
    if (visit.response.headersSent) return
    if (typeof outcome === 'object') return show(page, visit, 200, outcome)
    if (form.notice !== undefined) visit.cookies.set('notice', form.notice, 60)
    visit.response.redirect(303, outcome ?? visit.address)
  }

  function send({ response, leadsTo }: Visit, status: number, document: VNode): void {
    response
      .status(status)
      .set(pageHeaders(...leadsTo))
      .type('html')
      .send(renderPage(document))
  }

  const download =
    (file: Download): RequestHandler =>
    async (request, response) => {
      const visit = await createVisit(site, response.locals['person'] ?? null, request, response)
      if (!visit.person) return response.redirect(303, signInAt(request.originalUrl))
      const { name, type, body } = await file.make(visit)
      response.set(pageHeaders()).attachment(name).type(type).send(body)
    }

  return { get, post, download }
}

const envelope = z.object({ form: z.string().catch(''), csrf: z.string().catch('') })

const formIn = (forms: Readonly<Record<string, Form>>, name: string) => (Object.hasOwn(forms, name) ? forms[name] : undefined)

/** What people can put right in the form itself; anything else is a page of its own. */
const shownAtForm = new Set(['validation_failed', 'last_owner', 'already_member', 'rate_limited'])
