import { pngImage as png } from '../../support/data/png.ts'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config/settings.ts'
import { Browser } from '../../support/browser/browser.ts'
import { useService } from '../../support/service/service.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'logo-'))
const fileOf = (name: string, content: string | Buffer) => {
  writeFileSync(path.join(folder, name), content)
  return path.join(folder, name)
}
const logoOf = (BRAND_LOGO: string) => readConfig({ BRAND_LOGO }).brandLogo

describe('BRAND_LOGO', () => {
  test.each([
    ['logo.png', 'png', png],
    ['logo.SVG', 'svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ])('reads %s', (name, type, body) => {
    expect(logoOf(fileOf(name, body))).toEqual({ type, body })
  })

  test.each([
    ['a file of another type', () => fileOf('logo.gif', png)],
    ['a file that does not exist', () => path.join(folder, 'missing.png')],
    ['a damaged PNG file', () => fileOf('damaged.png', Buffer.concat([png.subarray(0, 45), Buffer.alloc(9), png.subarray(54)]))],
    ['a truncated PNG file', () => fileOf('short.png', png.subarray(0, 60))],
    ['another file with the name of a PNG file', () => fileOf('other.png', Buffer.from('<svg/>'))],
    ['a file of more than 50 kB', () => fileOf('large.png', Buffer.alloc(50_001))],
  ])('refuses %s, and the service does not start', (_, file) => {
    expect(() => logoOf(file())).toThrow(/BRAND_LOGO.*SVG or PNG file of at most 50 kB/s)
  })
})

describe('a service with a logo', () => {
  const service = useService({ brandName: 'Acme Cloud', brandLogo: { type: 'png', body: png } })

  test('shows it on its pages and as the favicon', async () => {
    const { root } = await new Browser(service.url).open('/sign-in')
    const [logo, icon] = [root.querySelector('.brand img')?.getAttribute('src'), root.querySelector('link[rel=icon]')?.getAttribute('href')]
    expect([logo, root.querySelector('.brand')?.text]).toEqual([icon, 'Acme Cloud'])
    const response = await fetch(`${service.url}${logo}`)
    expect([response.headers.get('content-type'), Buffer.from(await response.arrayBuffer())]).toEqual(['image/png', png])
  })
})

describe('a service without a logo', () => {
  const service = useService({ brandName: '<Acme> & Co' })

  test('shows the first letter of its name', async () => {
    const { root } = await new Browser(service.url).open('/sign-in')
    expect([root.querySelector('.brand img'), root.querySelector('.brand .logo')?.text]).toEqual([null, 'A'])
    const icon = await fetch(service.url + root.querySelector('link[rel=icon]')?.getAttribute('href'))
    expect([icon.headers.get('content-type'), await icon.text()]).toEqual([
      expect.stringContaining('image/svg+xml'),
      expect.stringContaining('>A</text>'),
    ])
  })
})
