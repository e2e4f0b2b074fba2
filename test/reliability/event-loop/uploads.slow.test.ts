import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { enter, valuesOf } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { badFiles, fileOf, imageBytes } from '../../support/data/pictures.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useMeasuredService } from '../../support/processes/measured/measured-service.ts'

const service = useMeasuredService({ RATE_LIMIT_API: '0' })
let browser: Browser
beforeAll(async () => {
  browser = new Browser(service.url)
  await enter(browser, await createPerson(service.database))
})

const upload = async (file: File) => {
  const page = await browser.open('/account')
  return browser.press(page, 'Save', { Name: 'Ada', Picture: file })
}
const list = (count: number, each: (index: number) => string) => Array.from({ length: count }, (_, index) => each(index)).join('')

describe('an upload', () => {
  const largest = { width: 5000, height: 5000, channels: 3, background: '#fff' } as const
  test.each(['jpeg', 'png', 'webp'] as const)('of the most pixels as %s does not block the process', async (format) => {
    const file = fileOf(await sharp({ create: largest })[format]().toBuffer(), `me.${format}`, `image/${format}`)
    expect((await service.expectShortTurns(() => upload(file))).status).toBe(200)
  })

  test('of a file that is no picture does not block the process', async () => {
    for (const { file } of Object.values(await badFiles())) expect((await service.expectShortTurns(() => upload(file))).status).toBe(422)
    const jpeg = await imageBytes('jpeg')
    // Markers, lengths and chunks without end.
    for (const part of [
      Buffer.from([0xff, 0xd8, 0xff, 0xe1]),
      Buffer.from('RIFF\xff\xff\xff\x7fWEBPVP8X', 'latin1'),
      jpeg.subarray(0, 20),
    ]) {
      const file = fileOf(Buffer.alloc(5_000_000, part))
      expect((await service.expectShortTurns(() => upload(file))).status).toBe(422)
    }
  })
})

describe('a form', () => {
  const boundary = '----b'
  const part = (name: string, value = '') => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const forms: Record<string, [type: string, body: string]> = {
    'fields of one name': ['multipart', list(50_000, () => part('name'))],
    'fields of different names': ['multipart', list(40_000, (index) => part(`n${index}`))],
    'a field of 5 MB': ['multipart', part('name', 'é'.repeat(2_400_000))],
    'a header without end': ['multipart', `--${boundary}\r\nContent-Disposition: form-data; name="${'a'.repeat(5_000_000)}`],
    'beginnings of boundaries': ['multipart', part('name', `\r\n--${boundary.slice(0, -1)}`.repeat(400_000))],
    'parameters of the header': ['multipart', `--${boundary}\r\nContent-Disposition: form-data${';a=b'.repeat(1_000_000)}\r\n\r\n`],
    'URL-encoded fields': ['urlencoded', list(30_000, () => 'a&')],
    'URL-encoded fields of one name': ['urlencoded', list(900, (index) => `name=${index}&`)],
    'URL-encoded escapes': ['urlencoded', `name=${'%ff%c3%a9'.repeat(7000)}`],
    'brackets in names': ['urlencoded', `a${'[a]'.repeat(20_000)}=1`],
  }

  test.each(Object.keys(forms))('with %s does not block the process', async (name) => {
    const [type, content] = forms[name] ?? ['', '']
    const page = await browser.open('/account')
    const fields = [...valuesOf(page)]
    const isMultipart = type === 'multipart'
    const own = isMultipart ? fields.map(([key, value]) => part(key, value)).join('') : `${new URLSearchParams(fields)}&`
    const headers = {
      origin: service.url,
      'content-type': isMultipart ? `multipart/form-data; boundary=${boundary}` : 'application/x-www-form-urlencoded',
    }
    const body = isMultipart ? `${own}${content}\r\n--${boundary}--\r\n` : own + content
    const { status } = await service.expectShortTurns(() => browser.open('/account', { method: 'POST', headers, body }))
    expect(status).toBeLessThan(500)
  })
})
