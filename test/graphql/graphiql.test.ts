import { describe, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { createPerson, password } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database, url } = service
const browser = await launchChromium()

describe('GraphiQL', () => {
  async function openGraphiql(person: { email: string } | null) {
    const page = await (await browser.newContext()).newPage()
    if (person) {
      await page.goto(`${url}/sign-in?return_to=/graphql`)
      await page.getByLabel('Email address').fill(person.email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    } else await page.goto(`${url}/graphql`)
    await page.waitForSelector('.graphiql-container')
    return page
  }

  test('says who is signed in, and asks as them', async () => {
    const person = await createPerson(database)
    const page = await openGraphiql(person)
    expect(await page.title()).toBe(`GraphiQL, signed in as ${person.email}`)
    await page.getByLabel(/^Execute query/).click()
    await expect.poll(() => page.locator('.result-window').innerText()).toMatch(/"kind":\s"SESSION"/)
  })

  test('asks a visitor for a credential', async () => {
    const page = await openGraphiql(null)
    expect(await page.title()).toBe('GraphiQL')
    await page.getByLabel(/^Execute query/).click()
    await expect.poll(() => page.locator('.result-window').innerText()).toContain('"unauthenticated"')
  })
})
