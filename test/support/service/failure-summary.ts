import { appendFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

/**
 * A reporter for `.ci/run`, whose log is long. Appends to the file of FAILURE_SUMMARY which tests failed, or passed only when
 * they ran again, and their first errors. Writes the names of the files that did not pass to the file of FAILED_FILES.
 */
export default class FailureSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const { FAILURE_SUMMARY: summary, FAILED_FILES: files } = process.env
    if (!summary || !files) return
    const lines = modules.flatMap((module) => [...linesOfErrors(module), ...Array.from(module.children.allTests(), linesOfTest).flat()])
    for (const error of unhandledErrors) lines.push(`NOT IN A TEST ${fileOf(error) ?? ''}`, ...firstLines([error]))
    appendFileSync(summary, lines.map((line) => `${line}\n`).join(''))
    const failed = modules
      .filter((module) => !['passed', 'skipped'].includes(module.state()))
      .map(({ relativeModuleId }) => relativeModuleId)
    const names = new Set([...failed, ...unhandledErrors.flatMap((error) => fileOf(error) ?? [])])
    writeFileSync(files, Array.from(names, (name) => `${name}\n`).join(''))
  }
}

/** Errors of hooks and of the file itself, whose tests then did not run. */
const linesOfErrors = (module: TestModule): string[] =>
  [module, ...module.children.allSuites()].flatMap((suite) => {
    if (suite.errors().length === 0) return []
    const name = suite.type === 'suite' ? ` > ${suite.fullName}` : ''
    return [`FAILED ${module.relativeModuleId}${name} (set-up)`].concat(firstLines(suite.errors()))
  })

function linesOfTest(test: TestCase): string[] {
  const { state, errors } = test.result()
  const outcome = state === 'failed' ? 'FAILED' : test.diagnostic()?.flaky ? 'PASSED LATER' : null
  return outcome === null ? [] : [`${outcome} ${test.module.relativeModuleId} > ${test.fullName}`, ...firstLines(errors ?? [])]
}

const firstLines = ([error]: readonly SerializedError[]): string[] => {
  const place = error?.stack?.split('\n').find((line) => line.includes('/test/'))
  return [...(error?.message ?? 'no message').split('\n').slice(0, 8), ...(place ? [place.trim()] : [])].map(
    (line) => `    ${line.slice(0, 300)}`,
  )
}

const fileOf = ({ VITEST_TEST_PATH: file }: SerializedError): string | undefined =>
  typeof file === 'string' ? path.relative(process.cwd(), file) : undefined
