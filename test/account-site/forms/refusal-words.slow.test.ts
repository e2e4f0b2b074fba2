import type { HTMLElement } from 'node-html-parser'
import { expect, test } from 'vitest'
import { enter } from '../../support/account-site/page-content.ts'
import { everyPage } from '../../support/account-site/every-page.ts'
import { names, seedSite } from '../../support/account-site/seed.ts'
import { Browser, formValues } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { useService } from '../../support/service/service.ts'

// Submits every form with empty and with wrong values. Messages are written for the page, and appear once, at their field.

const service = useService()

/** Parts of messages of the API, which are written for developers. */
const apiWords = /\bThe [\w .]+ field\b|[Ss]elected [\w .]+ is invalid|more errors?\)|Too Many Attempts|has already been taken/

const textControls = 'input:not([type]), input[type=text], input[type=password], input[type=date], textarea'
const checkboxes = 'input[type=checkbox]'
const choices = `${checkboxes}, input[type=radio], select`
/** Fields without a value that is refused. A form with no others is made by its first submission. */
const neverRefused = new Set(['username', 'endOtherSessions'])
const controlsOf = (form: HTMLElement) =>
  form.querySelectorAll(`${textControls}, ${choices}`).filter((control) => !neverRefused.has(control.getAttribute('name') ?? ''))
const namesOf = (form: HTMLElement, selector: string) =>
  new Set(form.querySelectorAll(selector).map((control) => control.getAttribute('name') ?? ''))

/** How the fields of a form are filled in: texts, and choices. Null ticks no checkbox and leaves other choices as they are. */
const fillings: Readonly<Record<string, readonly [text: string, choice: string | null]>> = {
  short: ['-', 'unknown'],
  long: ['W'.repeat(300), ''],
  'that cannot be stored': ['a\0', 'a\0'],
  // Last, because some forms accept it.
  empty: ['', null],
}

const formsOf = ({ root }: Page) => root.querySelectorAll('main form[method=post]').filter((form) => controlsOf(form).length > 0)

async function submit(browser: Browser, path: string, index: number, [text, choice]: readonly [string, string | null]): Promise<Page> {
  const page = await browser.open(path)
  const form = formsOf(page)[index]
  if (!form) throw new Error(`no form ${index} at ${path}`)
  const values = formValues(form)
  for (const name of namesOf(form, textControls)) values.set(name, text)
  for (const name of namesOf(form, choice === null ? checkboxes : choices)) {
    values.delete(name)
    if (choice !== null) values.append(name, choice)
  }
  return browser.send(page, form.getAttribute('action') ?? path, values)
}

function expectWrittenForPage(label: string, { root, status }: Page, isEmpty: boolean): void {
  expect([label, status]).toEqual([label, expect.toBeOneOf([200, 422, 429])])
  const text = root.querySelector('main')?.text ?? ''
  expect([label, apiWords.exec(text)?.[0]]).toEqual([label, undefined])
  if (status === 200) return
  const messages = root.querySelectorAll('[role=alert]:not([data-status])').map((alert) => alert.text)
  expect([label, messages]).not.toEqual([label, []])
  for (const message of messages)
    expect([label, message, text.split(message).length - 1]).toEqual([label, expect.stringMatching(/^\S.*\.$/s), 1])
  if (!isEmpty || status !== 422) return
  const refused = root.querySelectorAll('form').find((form) => form.querySelector('[aria-invalid]'))
  // Whether the address or the password is wrong is not revealed: there is one message, even for an empty form.
  const controls = label.startsWith('/sign-in ') ? [] : (refused?.querySelectorAll('[required]') ?? [])
  expect([label, controls.filter((control) => !control.hasAttribute('aria-invalid')).map(({ id }) => id)]).toEqual([label, []])
  expect([label, refused?.querySelectorAll('[autofocus]').length ?? 0]).toEqual([label, refused ? 1 : 0])
}

test('every form shows its refusals in words for the page, once, and at the fields', async () => {
  const seeded = await seedSite(service, names.plain)
  const [anonymous, owner] = [new Browser(service.url), new Browser(service.url)]
  for (const browser of [anonymous, owner]) {
    for (const secret of Object.values(seeded.links)) await browser.open(`/links/${secret}`)
    await browser.open(`/invitations/${seeded.parameters['secret']}`)
  }
  await enter(anonymous, seeded.userWithSecondFactor)
  await enter(owner, seeded.person)
  const refusals: string[] = []
  for (const { path, endsAt, isPublic } of everyPage(seeded.parameters)) {
    if (path !== endsAt) continue
    const browser = isPublic ? anonymous : owner
    const count = formsOf(await browser.open(path)).length
    for (let index = 0; index < count; index++)
      for (const [filling, values] of Object.entries(fillings)) {
        const page = await submit(browser, path, index, values)
        expectWrittenForPage(`${path} ${index} ${filling}`, page, filling === 'empty')
        if (page.status === 422) refusals.push(`${path} ${filling}`)
      }
  }

  expect(refusals.length).toBeGreaterThan(40)
})
