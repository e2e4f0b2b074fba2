import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Page } from '../../support/browser/browser.ts'
import { badFiles, fileOf, imageBytes } from '../../support/data/pictures.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { alertOf, noticeOf, openAs } from '../../support/account-site/page-content.ts'

const service = useService()
const { prisma } = service.database

const openProfile = async () => {
  const user = await createPerson(service.database)
  return { user, ...(await openAs(service, user, '/account')) }
}
const picturesIn = ({ root }: Page, within = 'main') =>
  root.querySelectorAll(`${within} img.avatar`).map((image) => image.getAttribute('src') ?? '')
const read = async (path: string) => {
  const response = await fetch(service.url + path)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('a picture of the profile', () => {
  let photo: Buffer
  let page: Page
  let path: string
  let userId: string
  beforeAll(async () => {
    photo = await imageBytes('jpeg', { width: 900, height: 600, metadata: true })
    const { browser, user, page: profile } = await openProfile()
    userId = user.id
    page = await browser.press(profile, 'Save', { Name: 'Ada New', Picture: fileOf(photo) })
    path = picturesIn(page)[0] ?? ''
  })

  test('is saved together with the other fields, and is shown on the page and, smaller, in the header', async () => {
    expect(noticeOf(page)).toEqual([200, 'Your profile was saved.'])
    expect(picturesIn(page)).toEqual([expect.stringMatching(/^\/pictures\/[\w-]{22}\.webp$/)])
    expect(picturesIn(page, 'header')).toEqual([path.replace('.webp', '-small.webp')])
    expect((await prisma.user.findUniqueOrThrow({ where: { id: userId } })).name).toBe('Ada New')
  })

  test.each([
    ['', 256, 60_000],
    ['-small', 64, 2000],
  ])('is a WebP file without metadata, with the suffix %j a square of %i pixels and less than %i bytes', async (suffix, side, size) => {
    expect((await sharp(photo).metadata()).exif?.includes('Ada Secret')).toBe(true)
    const { response, bytes } = await read(path.replace('.webp', `${suffix}.webp`))
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(bytes.length).toBeLessThan(size)
    const metadata = await sharp(bytes).metadata()
    expect([metadata.format, metadata.width, metadata.height]).toEqual(['webp', side, side])
    expect([metadata.exif, metadata.icc, metadata.xmp, metadata.orientation]).toEqual([undefined, undefined, undefined, undefined])
    expect(bytes.includes('Secret')).toBe(false)
  })

  test('is read without cookies, cached for ever, and executes nothing', async () => {
    const { response } = await read(path)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'",
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(response.headers.get('set-cookie')).toBeNull()
    expect((await fetch(service.url + path, { method: 'POST' })).status).toBe(405)
  })

  test.each(['/pictures/me.webp', `/pictures/${'A'.repeat(22)}.webp`, '/pictures/%2e%2e%2fetc', '/pictures/'])(
    '%s does not exist',
    async (unknown) => {
      expect((await read(unknown)).response.status).toBe(404)
    },
  )
})

test('a picture is turned as its metadata says', async () => {
  const { browser, page } = await openProfile()
  // The upper half of the picture is red, once it is turned.
  const left = await sharp({ create: { width: 400, height: 400, channels: 3, background: 'blue' } })
    .composite([{ input: { create: { width: 200, height: 400, channels: 3, background: 'red' } }, left: 0, top: 0 }])
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const saved = await browser.press(page, 'Save', { Picture: fileOf(left) })
  const { data } = await sharp((await read(picturesIn(saved)[0] ?? '')).bytes)
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([data[0], data[2]].map((value) => (value ?? 0) > 128)).toEqual([true, false])
  expect([data.at(-3), data.at(-1)].map((value) => (value ?? 0) > 128)).toEqual([false, true])
})

test('another picture replaces the first, whose path then leads nowhere; without one both do', async () => {
  const { browser, page, user } = await openProfile()
  const [one, other] = await Promise.all([imageBytes('png'), imageBytes('webp')])
  const first = await browser.press(page, 'Save', { Picture: fileOf(one, 'me.png') })
  const second = await browser.press(first, 'Save', { Picture: fileOf(other, 'me.webp') })
  const unchanged = await browser.press(second, 'Save', { Name: 'Ada Two' })
  const [before, after, still] = [first, second, unchanged].map((each) => picturesIn(each)[0] ?? '')
  expect([before === after, after === still]).toEqual([false, true])
  expect([(await read(before ?? '')).response.status, (await read(after ?? '')).response.status]).toEqual([404, 200])
  const removed = await browser.press(unchanged, 'Remove picture')
  expect([...noticeOf(removed), picturesIn(removed)]).toEqual([200, 'Your picture was removed.', []])
  expect((await read(after ?? '')).response.status).toBe(404)
  expect(await prisma.picture.count({ where: { userId: user.id } })).toBe(0)
  const entries = await prisma.auditEntry.findMany({ where: { actorUserId: user.id }, orderBy: { at: 'asc' } })
  expect(entries.map((entry) => [entry.action, entry.before, entry.after])).toEqual([
    ['updateProfile', { picture: null }, { picture: before }],
    ['updateProfile', { picture: before }, { picture: after }],
    ['updateProfile', { name: user.name }, { name: 'Ada Two' }],
    ['updateProfile', { picture: after }, { picture: null }],
  ])
})

describe('a file that is no picture', () => {
  let bad: Awaited<ReturnType<typeof badFiles>>
  beforeAll(async () => void (bad = await badFiles()))

  test('is refused in words, and what was typed is kept and not saved', async () => {
    const { browser, page, user } = await openProfile()
    const outcomes: Record<string, unknown> = {}
    for (const [name, { file }] of Object.entries(bad)) {
      const refused = await browser.press(page, 'Save', { Name: 'Typed', Picture: file })
      const typed = refused.root.querySelector('#field-name')?.getAttribute('value')
      outcomes[name] = [...alertOf(refused), typed]
    }
    expect(outcomes).toEqual(Object.fromEntries(Object.entries(bad).map(([name, { message }]) => [name, [422, message, 'Typed']])))
    expect(await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ name: user.name, pictureId: null })
    expect(await prisma.auditEntry.count({ where: { actorUserId: user.id } })).toBe(0)
  })
})

test('a picture whose form was submitted after the session ended is chosen again; what was typed is kept', async () => {
  const { browser, page, user } = await openProfile()
  await prisma.oidcModel.deleteMany({ where: { kind: 'Session' } })
  const asked = await browser.press(page, 'Save', {
    Name: 'Grace',
    Picture: fileOf(await imageBytes('jpeg', { width: 2500, height: 2500 })),
  })
  const back = await browser.press(asked, 'Sign in', { 'Email address': user.email, Password: password })
  expect([back.url.pathname, back.root.querySelector('#field-name')?.getAttribute('value'), picturesIn(back)]).toEqual([
    '/account',
    'Grace',
    [],
  ])
  expect(await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ name: user.name, pictureId: null })
})

test.each([
  [
    'without a CSRF token',
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="form"\r\n\r\nsave\r\n--x--\r\n',
    403,
  ],
  ['without an end', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="form"\r\n\r\nsave', 400],
  ['without a boundary', 'multipart/form-data', '--x--', 400],
  ['without content', 'multipart/form-data; boundary=x', '', 400],
])('a form %s is refused', async (_, type, body, status) => {
  const { browser } = await openProfile()
  const init = { method: 'POST', body, headers: { 'content-type': type, origin: service.url } }
  expect((await browser.open('/account', init)).status).toBe(status)
})

test('of two pictures that are uploaded at once, both are answered and one is kept', async () => {
  const { browser, page, user } = await openProfile()
  const file = fileOf(await imageBytes('jpeg', { width: 3000, height: 2000 }))
  const saved = await Promise.all([1, 2, 3].map(() => browser.copy().press(page, 'Save', { Picture: file })))
  expect(saved.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await prisma.picture.count({ where: { userId: user.id } })).toBe(1)
})
