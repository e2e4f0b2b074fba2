import { parse } from 'node-html-parser'
import { expect } from 'vitest'
import { customerWords, wrongWordsIn } from './forbidden-words.ts'

/**
 * Everything that a page says, also what is folded or hidden until it is needed; without code, which shows values as they are, and bold text,
 * which names what a console of others shows.
 */
function textOf(html: string): string {
  const root = parse(html)
  for (const element of root.querySelectorAll('script, style, code, b, pre, svg style, datalist')) element.remove()
  // The text of the parser has no space between these.
  for (const element of root.querySelectorAll('option, label, span, a, button')) element.insertAdjacentHTML('beforebegin', '\n')
  const attributes = ['placeholder', 'title', 'aria-label', 'alt'].flatMap((name) =>
    root.querySelectorAll(`[${name}]`).map((element) => element.getAttribute(name)),
  )
  return [root.structuredText, ...attributes].join('\n')
}

/** Expects a page without words that customers must not read. */
export const expectCustomerWords = (html: string, where: string): void =>
  expect.soft([where, wrongWordsIn(textOf(html), customerWords)]).toEqual([where, []])
