import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { evaluateInPage } from './tab.ts'

/** The height of a finger: WCAG 2.5.5. */
const minHeight = 44

/**
 * Expects that whatever is tapped is high enough for a finger on a phone. The label of a checkbox counts, and the `::after` or
 * `::before` with which a link covers its card. Links within a sentence are exempt, and what is not visible.
 */
export async function expectTargetsForFingers(page: Page): Promise<void> {
  const low = await evaluateInPage(
    page,
    ({ document, getComputedStyle }, minHeight) => {
      const heightOf = (element: any): number => {
        const own = element.getBoundingClientRect().height
        const labels = [...(element.labels ?? [])].map((label) => label.getBoundingClientRect().height)
        const covers = ['::before', '::after'].map((part) => {
          const { content, position, height } = getComputedStyle(element, part)
          return content !== 'none' && position === 'absolute' ? Number.parseFloat(height) || 0 : 0
        })
        return Math.max(own, ...labels, ...covers)
      }
      const isHidden = (element: any) => {
        const isClipped = getComputedStyle(element).clipPath === 'inset(50%)' || element.matches('.skip')
        return isClipped || !element.checkVisibility({ visibilityProperty: true })
      }
      const isInSentence = (element: any) =>
        element.matches('a') && [...element.parentElement.childNodes].some(({ nodeType, data }) => nodeType === 3 && /\w/.test(data))
      return [...document.querySelectorAll('a[href], button, summary, input:not([type=hidden]), select, textarea')]
        .filter((element) => !isHidden(element) && !isInSentence(element) && heightOf(element) < minHeight - 0.5)
        .map((element) => `${Math.round(heightOf(element))} px: ${element.outerHTML.slice(0, 160)}`)
    },
    minHeight,
  )
  expect.soft([page.url(), low]).toEqual([page.url(), []])
}
