import { expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { join, unique } from '../../support/data/team.ts'
import { requireSignIn, signInThrough } from '../../support/domains/required-sign-in.ts'
import { lastLink } from '../../support/mail/links.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// A member must not leave the verified domain to escape the requirement of the team.

const service = useService()
const { prisma } = service.database
const later = new Date(Date.now() + 86_400_000)

test.each([
  ['now', null],
  ['later', later],
])('a member who must sign in through a provider, %s, and never has cannot change the address', async (_, from) => {
  const requiring = await requireSignIn(service)
  const { team, provider } = requiring
  if (from) await prisma.team.update({ where: { id: team.id }, data: { signInRequiredAt: from } })
  const user = await createPerson(service.database, { email: requiring.address() })
  const browser = new Browser(service.url)
  await browser.press(await browser.open('/sign-in?with=password'), 'Sign in', { 'Email address': user.email, Password: password })
  const page = await browser.open('/account/email')
  const request = async () => browser.press(page, 'Send confirmation link', { 'New email address': `${unique('new')}@example.test` })
  const link = async () => browser.open(`/links/${await lastLink(service, user.id)}`)
  // Requested before the user is a member.
  await request()
  const landing = await link()
  await join(service.database, team, user, 'member')
  const message = `The team ${team.name} requires sign-in through Okta. Sign in there once before you change your email address.`
  for (const refused of [await request(), await browser.press(landing, 'Confirm email address')]) {
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(message)
  }
  expect(await prisma.user.findUnique({ where: { id: user.id } })).toMatchObject({ email: user.email })
  await signInThrough(service, provider, user)
  expect((await request()).status).toBe(200)
  await browser.press(await link(), 'Confirm email address')
  expect((await prisma.user.findUnique({ where: { id: user.id } }))?.email).not.toBe(user.email)
})
