import { describe, expect, test } from 'vitest'
import { newAddress, signedUp } from '../../support/account-site/signed-up.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { expectAccessible, expectFits, openTab, sizes } from '../../support/browser/tab.ts'
import { lastLink } from '../../support/mail/links.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const service = useService({ secretKey })
const browser = useChromium()

describe.each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  test.each(Object.entries(sizes))('signing up leads from the form to the first team (%s)', async (_, viewport) => {
    const { page, complaints, weight } = await openTab(browser, service, { viewport, javaScriptEnabled, timezoneId: 'Europe/Paris' })
    const expectGood = async () => {
      expect(weight()).toBeLessThan(60_000)
      if (!javaScriptEnabled) return
      await expectFits(page)
      await expectAccessible(page)
    }
    const email = newAddress()
    await page.goto(`${service.url}/sign-up`)
    await expectGood()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.locator('.wrong').nth(2).waitFor()
    expect(await page.locator('.wrong').allInnerTexts()).toEqual(['Enter a name.', 'Enter an email address.', 'Enter a password.'])
    await page.getByLabel('Name').fill('Grace Hopper')
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('purple lantern river')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await expectGood()
    await page.getByRole('button', { name: 'Send the email again' }).click()
    await page.getByText(`We sent another email to ${email}`).waitFor()
    const { id } = await service.database.prisma.user.findUniqueOrThrow({ where: { email } })
    await page.goto(`${service.url}/links/${await lastLink(service, id)}`)
    await page.getByRole('heading', { name: 'Create your team' }).waitFor()
    await expectGood()
    await page.getByLabel('Name', { exact: true }).pressSequentially(`Köhler & Söhne ${id.slice(0, 8)}`)
    const slug = `kohler-sohne-${id.slice(0, 8)}`
    if (javaScriptEnabled) {
      expect(await page.getByLabel('Slug').inputValue()).toBe(slug)
      expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Paris')
    }
    await page.getByRole('button', { name: 'Create team' }).click()
    await page.waitForURL(`${service.url}/teams/${slug}`)
    const { timezone } = await service.database.prisma.team.findUniqueOrThrow({ where: { slug } })
    expect([timezone, complaints]).toEqual([javaScriptEnabled ? 'Europe/Paris' : null, []])
  })
})

test('a slug that was typed stays, and a refused form shows the one that was made from the name', async () => {
  const { open } = await signedUp(service)
  const { page } = await openTab(browser, service)
  await service.database.prisma.team.create({ data: { slug: 'taken-name', name: 'Taken' } })
  // The browser without JavaScript signs in; its cookies go to the other one.
  const { browser: signedIn } = await signedUp(service).then(async (other) => {
    await other.open()
    return other
  })
  await open()
  await page
    .context()
    .addCookies(
      [...signedIn.cookies.values()].map(({ name, value, path }) => ({ name, value, path, domain: new URL(service.url).hostname })),
    )
  await page.goto(`${service.url}/teams/new`)
  await page.getByLabel('Slug').fill('mine')
  await page.getByLabel('Name', { exact: true }).pressSequentially('Taken name')
  expect(await page.getByLabel('Slug').inputValue()).toBe('mine')
  await page.getByLabel('Slug').fill('')
  await page.getByRole('button', { name: 'Create team' }).click()
  await page.getByText('Slug is already taken.').waitFor()
  expect(await page.getByLabel('Slug').inputValue()).toBe('taken-name')
})
