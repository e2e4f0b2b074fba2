import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../../schema/core/project-folder.ts'

/** Lines of TypeScript by folder, each with those of the folders inside it. Generated files do not count. */
function countLines(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const files = globSync('{src,schema}/**/*.{ts,tsx}', { cwd: projectFolder }).filter((file) => !file.includes('/generated/'))
  for (const file of files) {
    const lines = readFileSync(path.join(projectFolder, file), 'utf8').split('\n').length - 1
    for (let folder = path.dirname(file); folder !== '.'; folder = path.dirname(folder))
      counts.set(folder, (counts.get(folder) ?? 0) + lines)
  }
  return counts
}

const page = readFileSync(path.join(projectFolder, 'docs/architecture/size.md'), 'utf8')
const rows = Array.from(page.matchAll(/^\| `([^`]+)` \| ([\d,]+) \|/gm), ([, folder = '', lines = '']) => ({
  folder,
  lines: Number(lines.replaceAll(',', '')),
}))
const counts = countLines()

test('the page about sizes has the lines of each folder, within a quarter', () => {
  const wrong = rows.flatMap(({ folder, lines }) => {
    const actual = counts.get(folder) ?? 0
    return Math.abs(actual - lines) > 0.25 * lines ? [`${folder} has ${actual} lines and not ${lines}`] : []
  })
  expect([rows.length > 20, wrong]).toEqual([true, []])
})

test('the page about sizes has each folder of src and schema from 1,000 lines on', () => {
  const large = [...counts].filter(([folder, lines]) => folder.split('/').length === 2 && lines >= 1000).map(([folder]) => folder)
  const listed = new Set(rows.map(({ folder }) => folder))
  expect(large.filter((folder) => !listed.has(folder))).toEqual([])
})
