import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { writeCompressed } from './compressed-files.ts'
import { projectFolder } from './files.ts'
import { calculateFingerprint, stamp } from './step.ts'
import type { Step } from './step.ts'

/**
 * GraphiQL as files that browsers load, in the colours and the fonts of the site. GraphQL Yoga's package contains them as strings for
 * inline scripts, which our content security policy forbids.
 */
export const graphiql: Step = {
  output: path.join('dist', 'graphiql'),
  fingerprint: calculateFingerprint(['build/graphiql.ts', 'build/compressed-files.ts'], ['@graphql-yoga/render-graphiql']),
  run: extractGraphiql,
}

async function extractGraphiql(): Promise<void> {
  const sources = await import('@graphql-yoga/render-graphiql/graphiql')
  const target = path.join(projectFolder, graphiql.output)
  mkdirSync(target, { recursive: true })
  const files = {
    'graphiql.js': applyEditorTheme(applySiteColors(sources.js)),
    'graphiql.css': applySiteColors(removeFonts(sources.css)),
    'worker-editor.js': sources.editorWorkerService,
    'worker-graphql.js': sources.graphqlWorker,
    'worker-json.js': sources.jsonWorker,
  }
  await Promise.all(Object.entries(files).map(([name, text]) => writeCompressed(path.join(target, name), text)))
  stamp(graphiql)
}

/** The variables of the site's stylesheet (src/web/styles/frame/tokens.css) for each colour of GraphiQL. */
const siteColors: Readonly<Record<string, string>> = {
  primary: '--accent',
  secondary: '--shortener',
  tertiary: '--socket',
  info: '--domain',
  success: '--good',
  warning: '--caution',
  error: '--alert',
  neutral: '--text',
  base: '--paper',
}

/** Replaces the colours of GraphiQL, which are hue, saturation and lightness, by those of the site. */
const applySiteColors = (text: string) =>
  text.replaceAll(/hsla?\(\s*var\(--color-(\w+)\)\s*(?:,\s*(var\(--[\w-]+\)|[\d.]+)\s*)?\)/g, (_, name: string, alpha?: string) => {
    const color = `var(${siteColors[name] ?? '--text'})`
    return alpha === undefined ? color : `color-mix(in srgb, ${color} calc(${alpha} * 100%), transparent)`
  })

/** Colours and fonts of the editor, which do not follow the stylesheet. */
const editorTheme = [
  ['bg:{dark:"#212a3b",light:"#ffffffff"}', 'bg:{dark:"#181c23",light:"#ffffff"}'],
  ['primary:{dark:"#ff5794",light:"#d60590"}', 'primary:{dark:"#8fb4ff",light:"#1d55c4"}'],
  ['primaryBg:{dark:"#ff579419",light:"#d6059019"}', 'primaryBg:{dark:"#8fb4ff19",light:"#1d55c419"}'],
  [`fontFamily:'"Fira Code"'`, `fontFamily:"ui-monospace, SFMono-Regular, Consolas, monospace"`],
] as const

function applyEditorTheme(script: string): string {
  return editorTheme.reduce((text, [before, after]) => {
    if (!text.includes(before)) throw new Error(`@graphql-yoga/render-graphiql no longer contains ${before}`)
    return text.replace(before, () => after)
  }, script)
}

/** Removes the fonts, which are four fifths of the stylesheet, except one copy of the editor's icons. The site uses those of the system. */
function removeFonts(css: string): string {
  const rules = [...css.matchAll(/@font-face\{[^}]*\}/g)].map(([rule]) => rule)
  const icons = rules.find((rule) => rule.includes('font-family:codicon'))
  if (icons === undefined) throw new Error('@graphql-yoga/render-graphiql no longer contains the icons of the editor')
  return icons + rules.reduce((text, rule) => text.replace(rule, () => ''), css)
}
