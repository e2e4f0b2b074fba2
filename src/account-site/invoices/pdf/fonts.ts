import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { projectFolder } from '../../../../schema/core/project-folder.ts'

// DejaVu contains the alphabets of Europe, Arabic and Hebrew. The other fonts are Noto fonts, which are read when a text needs them: those
// for Chinese, Japanese and Korean have 4 to 8 MB each. Their packages are optional (docs/operations/install.md#fonts-for-invoices).

export type Weight = 'regular' | 'bold'

interface Font {
  /** Characters for which the font is used: those of these scripts that DejaVu lacks. */
  characters: RegExp
  file: Readonly<Record<Weight, () => string>>
}

const require = createRequire(import.meta.url)
const notoFolder = path.join(projectFolder, 'fonts', 'node_modules')

/** Returns a Noto font of one script. The packages have the lower-case Unicode names of the scripts. */
function getNotoFont(script: string): Font {
  const name = script.toLowerCase()
  const folder = path.join(notoFolder, '@fontsource', `noto-sans-${name}`, 'files')
  const file = (weight: number) => () => path.join(folder, `noto-sans-${name}-${name}-${weight}-normal.woff`)
  return { characters: new RegExp(`\\p{Script_Extensions=${script}}`, 'u'), file: { regular: file(400), bold: file(700) } }
}

/** Returns a Noto font for Chinese, Japanese or Korean. Each has the shapes of Chinese characters that readers of its language expect. */
function notoCjk(language: 'jp' | 'kr' | 'sc', name: string): Font {
  const file = (weight: string) => () => path.join(notoFolder, '@embedpdf', `fonts-${language}`, 'fonts', `${name}-${weight}.otf`)
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
  ...Object.fromEntries(scripts.map((script) => [script, getNotoFont(script)])),
  Japanese: notoCjk('jp', 'NotoSansJP'),
  Korean: notoCjk('kr', 'NotoSansKR'),
  Chinese: notoCjk('sc', 'NotoSansHans'),
} satisfies Readonly<Record<string, Font>>

const notoFonts: readonly [name: string, Font][] = Object.entries(fonts)

/** Returns the files of all installed fonts, without the many other files of the packages. */
export const fontFiles = (): string[] =>
  notoFonts.flatMap(([, { file }]) => [file.regular(), file.bold()]).filter((file) => existsSync(file))

const isInstalled = (font: Font) => existsSync(font.file.regular())

/**
 * Returns fonts that may have a character that DejaVu lacks, the best first. `text` contains the character and determines the language.
 * Calls `onMissing` with the script of the character if its fonts are not installed.
 */
export function fallbackFonts(character: string, text: string, onMissing: (script: string) => void): string[] {
  const preferred = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    ? 'Japanese'
    : /\p{Script=Hangul}/u.test(text)
      ? 'Korean'
      : 'Chinese'
  const candidates = notoFonts
    .filter(([, { characters }]) => characters.test(character))
    .sort(([one], [other]) => Number(other === preferred) - Number(one === preferred))
  const names = candidates.flatMap(([name, font]) => (isInstalled(font) ? [name] : []))
  if (names.length === 0 && candidates[0]) onMissing(candidates[0][0])
  return names
}

/** Reads the file of a font. */
export function fontFile(name: string, weight: Weight): Buffer {
  const font = notoFonts.find(([each]) => each === name)
  if (!font) throw new Error(`there is no font ${name}`)
  return readFileSync(font[1].file[weight]())
}
