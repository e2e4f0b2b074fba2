import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveAccents } from '../../../src/web/brand/colors.ts'
import { Browser } from '../../support/browser/browser.ts'
import { repetitions } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'

// Backgrounds of pages and cards, as in src/web/styles/frame/tokens.css, and the text on buttons.
const backgrounds = { light: ['#f6f7f9', '#ffffff'], dark: ['#16181d', '#22262f'] } as const
const service = useService({ brandColor: '#ffee00' })

/** The contrast of two colours (WCAG 2.2). */
function contrast(one: string, other: string): number {
  const luminance = (color: string) => {
    const parts = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    const [red = 0, green = 0, blue = 0] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

test('every BRAND_COLOR gives accents with the contrast of WCAG AA in both themes', () => {
  const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  const color = fc.oneof(fc.constantFrom('#ffffff', '#000000', '#ffff00', '#00ff00', '#0000ff', '#777777', '#1d55c4'), anyColor)
  fc.assert(
    fc.property(color, (color) => {
      const { light, lightStrong, dark, darkStrong, fill, fillStrong } = deriveAccents(color)
      for (const background of backgrounds.light)
        for (const accent of [light, lightStrong])
          expect([color, contrast(accent, background)]).toEqual([color, expect.toSatisfy(isReadable)])
      for (const background of backgrounds.dark)
        for (const accent of [dark, darkStrong])
          expect([color, contrast(accent, background)]).toEqual([color, expect.toSatisfy(isReadable)])
      for (const button of [light, lightStrong, fill, fillStrong])
        expect([color, contrast(button, '#ffffff')]).toEqual([color, expect.toSatisfy(isReadable)])
      // The button in the dark theme differs from the page (WCAG 2.2, 1.4.11).
      for (const background of backgrounds.dark) expect([color, contrast(fill, background)]).toEqual([color, expect.toSatisfy(isDistinct)])
    }),
    { numRuns: repetitions({ short: 200, full: 5000 }) },
  )
})
const isReadable = (ratio: number) => ratio >= 4.5
const isDistinct = (ratio: number) => ratio >= 3

test('a colour with enough contrast is used unchanged', () => {
  expect([deriveAccents('#1d55c4').light, deriveAccents('#9bb8f5').dark]).toEqual(['#1d55c4', '#9bb8f5'])
})

test('the stylesheet of a service with a light BRAND_COLOR uses a darker shade in the light theme', async () => {
  const page = await new Browser(service.url).open('/sign-in')
  const stylesheet = page.root.querySelector('link[rel=stylesheet]')?.getAttribute('href') ?? ''
  const css = await (await fetch(service.url + stylesheet)).text()
  const [, light = '', dark] = /--accent:light-dark\((#\w+),(#\w+)\)/.exec(css) ?? []
  expect([isReadable(contrast(light, '#f6f7f9')), dark]).toEqual([true, '#ffee00'])
})
