import { expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, openTab, signInAt } from '../../support/browser/tab.ts'
import { createTeam, createUser, join, unique } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { isFull } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const chromium = useChromium()
const { database, clock } = service

/** Email addresses of the page, with a `|` where a line break is between two letters. */
const brokenAddresses = ({ document, NodeFilter }: any): string[] => {
  const broken: string[] = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { textContent: text, parentElement } = texts.currentNode
    if (!parentElement.closest('bdi')?.textContent.includes('@') || !parentElement.checkVisibility()) continue
    const topOf = (index: number): number => {
      const letter = document.createRange()
      letter.setStart(texts.currentNode, index)
      letter.setEnd(texts.currentNode, index + 1)
      return letter.getBoundingClientRect().top
    }
    for (let index = 1; index < text.length; index++)
      if (topOf(index) !== topOf(index - 1) && /^\w\w$/.test(text.slice(index - 1, index + 1)))
        broken.push(`${text.slice(0, index)}|${text.slice(index)}`)
  }
  return broken
}

test('an email address breaks at its punctuation only, at any width of the window', async () => {
  const team = await createTeam(database)
  const domain = `${unique('x')}.department.example.test`
  const owner = await createPerson(database, { email: `johannes.montgomery@${domain}` })
  await join(database, team, owner, 'owner')
  const inTeam = { teamId: team.id, invitedById: owner.id }
  const sent = { sentAt: clock.now(), expiresAt: new Date(clock.now().getTime() + 86_400_000) }
  const entry = {
    at: clock.now(),
    action: 'inviteMember',
    actorKind: 'user',
    authenticationMethod: 'session',
    subject: 'x',
    requestId: 'x',
  } as const
  for (let length = 1; length < 12; length++) {
    const email = `${'a'.repeat(length)}.${'b'.repeat(12 - length)}@${domain}`
    await join(database, team, await createUser(database, { email }), 'member', ['deploy', 'cert', 'flow'])
    const invitation = { ...inTeam, ...sent, role: 'member', nonce: new Uint8Array(16) } as const
    await database.prisma.invitation.create({ data: { ...invitation, email: `guest.${email}`, tokenHash: sha256(email) } })
    const names = { actorName: 'Ada', subjectName: email, after: { email }, before: { email: `old.${email}` } }
    await database.prisma.auditEntry.create({ data: { ...entry, ...names, teamId: team.id, actorUserId: owner.id } })
  }
  const tab = await openTab(chromium, service)
  const { page, complaints } = tab
  await signInAt(tab, service, owner.email)
  const inPath = `/teams/${team.slug}`
  for (const path of [
    inPath,
    `${inPath}/members`,
    `${inPath}/invitations`,
    `${inPath}/two-factor`,
    `${inPath}/audit-trail`,
    '/account',
    '/account/email',
  ]) {
    await page.goto(`${service.url}${path}`)
    await page.locator('.person > button').click()
    for (let width = 320; width < 1400; width += isFull ? 7 : 53) {
      await page.setViewportSize({ width, height: 800 })
      expect([path, width, ...(await evaluateInPage(page, brokenAddresses))]).toEqual([path, width])
    }
  }
  expect(complaints).toEqual([])
})
