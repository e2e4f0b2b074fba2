import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { badFiles, fileOf, imageBytes } from '../../support/data/pictures.ts'
import { createTeam, join, personalToken } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { invited } from '../../support/account-site/invited.ts'
import { useService } from '../../support/service/service.ts'
import { alertOf, noticeOf, openAs } from '../../support/account-site/page-content.ts'
import type { Page } from '../../support/browser/browser.ts'

const service = useService()
const { database } = service

async function openSettings(role: 'owner' | 'member' = 'owner') {
  const team = await createTeam(database, { gravatarEmail: 'team@acme.example' })
  const owner = await createPerson(database)
  const user = role === 'owner' ? owner : await createPerson(database)
  await join(database, team, owner, 'owner')
  if (user !== owner) await join(database, team, user, role)
  return { team, user, owner, ...(await openAs(service, user, `/teams/${team.slug}/settings`)) }
}
const logosIn = ({ root }: Page, within: string) =>
  root.querySelectorAll(`${within} img.avatar:not(.round)`).map((image) => image.getAttribute('src'))
const pixelAt = async (path: string, x: number, y: number) => {
  const file = Buffer.from(await (await fetch(service.url + path)).arrayBuffer())
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
  return [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)]
}

describe('the logo of a team', () => {
  test('is shown whole on white on the settings, in the switcher and in the list of teams, and becomes the avatar of the API', async () => {
    const { team, user, browser, page } = await openSettings()
    const wide = { create: { width: 800, height: 200, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0.5 } } }
    const saved = await browser.press(page, 'Save', { Logo: fileOf(await sharp(wide).png().toBuffer(), 'logo.png', 'image/png') })
    expect(noticeOf(saved)).toEqual([200, 'The details of “Acme” were saved.'])
    const [path = ''] = logosIn(saved, 'main')
    const small = path?.replace('.webp', '-small.webp')
    expect([path, ...logosIn(saved, 'header')]).toEqual([expect.stringMatching(/^\/pictures\/[\w-]{22}\.webp$/), small, small])
    expect(logosIn(await browser.open('/account/teams'), 'main')).toEqual([small])
    expect(await pixelAt(path ?? '', 128, 10)).toEqual([255, 255, 255])
    for (const value of await pixelAt(path ?? '', 128, 128)) expect(Math.abs(value - 128)).toBeLessThan(4)

    const token = await personalToken(database, user, { scopes: ['acct:team:read'] })
    const { body, headers } = await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token })
    expect(body).toMatchObject({ avatar_url: service.url + path, gravatar_email: 'team@acme.example' })
    const removed = await browser.press(saved, 'Remove logo')
    expect([...noticeOf(removed), logosIn(removed, 'main')]).toEqual([200, 'The logo of “Acme” was removed.', []])
    const after = await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token })
    expect(after.body.avatar_url).toMatch(/^https:\/\/www\.gravatar\.com\/avatar\/[\da-f]{64}\?d=mp$/)
    expect(after.headers.get('etag')).not.toBe(headers.get('etag'))
    expect((await fetch(service.url + path)).status).toBe(404)
    const entries = await database.prisma.auditEntry.findMany({ where: { teamId: team.id }, orderBy: { at: 'asc' } })
    expect(entries.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['updateTeam', { logo: null }, { logo: path }],
      ['updateTeam', { logo: path }, { logo: null }],
    ])
    const log = await browser.open(`/teams/${team.slug}/audit-trail`)
    expect(log.text).toContain('changed the logo of the team')
    expect(log.text).toContain('removed the logo of the team')
    expect(log.text).not.toContain('/pictures/')
  })

  test('is refused in words if the file is no picture', async () => {
    const { browser, page } = await openSettings()
    for (const { file, message } of Object.values(await badFiles()))
      expect(alertOf(await browser.press(page, 'Save', { Name: 'Typed', Logo: file }))).toEqual([422, message.replace('Picture', 'Logo')])
  })

  test('is shown to those who are invited', async () => {
    const { owner, team, link, browser } = await invited(service)
    const logo = (await imageBytes('png')).toString('base64')
    const document = 'mutation ($input: UpdateTeamInput!) { updateTeam(input: $input) { team { logoUrl } } }'
    const { data } = await executeAs(service, await sessionOf(service, owner), document, { input: { team: team.slug, logo } })
    const path = new URL(data.updateTeam.team.logoUrl).pathname.replace('.webp', '-small.webp')
    expect(logosIn(await browser.open(link), 'main')).toEqual([path])
    expect(logosIn(await browser.open('/sign-up'), 'main')).toEqual([path])
  })

  test('is shown to members, who cannot change it', async () => {
    const { team, owner, browser, page } = await openSettings('member')
    expect(page.root.querySelector('input[type=file]')).toBeNull()
    const other = await openAs(service, owner, `/teams/${team.slug}/settings`)
    const saved = await other.browser.press(other.page, 'Save', { Logo: fileOf(await imageBytes('webp'), 'logo.webp') })
    const small = logosIn(saved, 'main').map((path) => path?.replace('.webp', '-small.webp'))
    expect(logosIn(await browser.open(page.url), 'main')).toEqual(small)
    const forged = new FormData()
    for (const input of saved.root.querySelectorAll('main form input'))
      forged.append(input.getAttribute('name') ?? '', input.getAttribute('value') ?? '')
    expect((await browser.send(page, page.url.href, forged)).status).toBe(403)
  })
})
