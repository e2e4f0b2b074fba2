import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

// DejaVu has the alphabets of Europe, Arabic and Hebrew. The others are Noto fonts, which are read when a text needs them:
// those of Chinese, Japanese and Korean have 4 to 8 MB each.

export type Weight = 'regular' | 'bold'

interface Font {
  /** The font is used for characters of these scripts that DejaVu lacks. */
  characters: RegExp
  file: Readonly<Record<Weight, () => string>>
}

const require = createRequire(import.meta.url)

/** A Noto font of one script. The names of the packages are those of Unicode in lower case. */
function notoOf(script: string): Font {
  const name = script.toLowerCase()
  const file = (weight: number) => () =>
    require.resolve(`@fontsource/noto-sans-${name}/files/noto-sans-${name}-${name}-${weight}-normal.woff`)
  return { characters: new RegExp(`\\p{Script_Extensions=${script}}`, 'u'), file: { regular: file(400), bold: file(700) } }
}

/** A Noto font for Chinese, Japanese or Korean. Each contains the shapes of Chinese characters that readers of its language expect. */
function notoCjk(language: 'jp' | 'kr' | 'sc', name: string): Font {
  const file = (weight: string) => () =>
    path.join(path.dirname(require.resolve(`@embedpdf/fonts-${language}`)), '..', 'fonts', `${name}-${weight}.otf`)
  return { characters: cjk, file: { regular: file('Regular'), bold: file('Bold') } }
}
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303F\uFF00-\uFFEF]/u

const scripts = 'Devanagari Bengali Gurmukhi Gujarati Tamil Telugu Kannada Malayalam Sinhala Thai Khmer Myanmar Ethiopic Thaana'.split(' ')
const fonts = {
  dejavu: {
    characters: /(?!)/,
    file: {
      regular: () => require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
      bold: () => require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
    },
  },
  ...Object.fromEntries(scripts.map((script) => [script, notoOf(script)])),
  japanese: notoCjk('jp', 'NotoSansJP'),
  korean: notoCjk('kr', 'NotoSansKR'),
  chinese: notoCjk('sc', 'NotoSansHans'),
} satisfies Readonly<Record<string, Font>>

const notoFonts: readonly [name: string, Font][] = Object.entries(fonts)

/** The files of all fonts, of which the packages contain many more. */
export const fontFiles = (): string[] => notoFonts.flatMap(([, { file }]) => [file.regular(), file.bold()])

/** The fonts that may have a character which DejaVu lacks, the best first. `text` is where it occurs, and tells the language. */
export function fallbackFonts(character: string, text: string): string[] {
  const names = notoFonts.flatMap(([name, { characters }]) => (characters.test(character) ? [name] : []))
  const preferred = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    ? 'japanese'
    : /\p{Script=Hangul}/u.test(text)
      ? 'korean'
      : 'chinese'
  return names.sort((one, other) => Number(other === preferred) - Number(one === preferred))
}

const loaded = new Map<string, Buffer>()

/** Returns the file of a font. It stays in memory. */
export function fontFile(name: string, weight: Weight): Buffer {
  const key = `${name} ${weight}`
  const known = loaded.get(key)
  if (known) return known
  const font = notoFonts.find(([each]) => each === name)
  if (!font) throw new Error(`there is no font ${name}`)
  const bytes = readFileSync(font[1].file[weight]())
  loaded.set(key, bytes)
  return bytes
}
