import { expect } from 'vitest'
import { evaluateInPage } from './tab.ts'
import type { Tab } from './tab.ts'

// What a person does with a keyboard alone.

type KeyboardTab = Pick<Tab, 'page'>

/** Presses Tab until the element with this name has the focus. */
export async function tabTo({ page }: KeyboardTab, name: RegExp): Promise<void> {
  const passed: string[] = []
  for (let steps = 0; steps < 80; steps++) {
    await page.keyboard.press('Tab')
    const focused = await evaluateInPage(page, ({ document, getComputedStyle }) => {
      const element = document.activeElement
      const label: string = element === document.body ? '' : (element.labels?.[0]?.textContent ?? element.textContent)
      // The link of a card has its outline around the whole card.
      const isOutlined = [undefined, '::after'].some((part) => getComputedStyle(element, part).outlineStyle !== 'none')
      return { label: label.trim(), isOutlined }
    })
    passed.push(focused.label)
    // The focused element has a visible outline.
    if (name.test(focused.label)) return expect(focused.isOutlined).toBe(true)
  }
  throw new Error(`${name} cannot be reached with Tab from ${page.url()}; passed ${passed.join(', ')}`)
}

export async function typeInto(tab: KeyboardTab, label: RegExp, text: string): Promise<void> {
  await tabTo(tab, label)
  await tab.page.keyboard.type(text)
}

/** Presses a button, or follows a link. */
export async function pressEnterOn(tab: KeyboardTab, name: RegExp): Promise<void> {
  await tabTo(tab, name)
  await tab.page.keyboard.press('Enter')
}
