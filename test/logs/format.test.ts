import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { createLog } from '../../src/http/logging/log.ts'

/** The text that the log writes for one event. */
function written(logFormat: 'pretty' | 'json' | undefined, event: object, message: string): string {
  let text = ''
  createLog({ logLevel: 'info', logFormat }, { write: (part: string) => (text += part) }).warn(event, message)
  return text
}

test('LOG_FORMAT=pretty writes a line of text for each event, and the stack of an error below it', () => {
  const error = Object.assign(new Error('no answer'), { code: 'E1', stack: 'Error: no answer\n    at place' })
  const text = stripVTControlCharacters(written('pretty', { err: error, route: '/api/v1/teams/{teamSlug}', status: 200 }, 'it failed'))
  expect(text.replace(/^\d\d:\d\d:\d\d\.\d{3}/, 'TIME')).toBe(
    [
      'TIME WARN  it failed route=/api/v1/teams/{teamSlug} status=200 type=Error message="no answer" code=E1',
      '    Error: no answer',
      '        at place',
      '',
    ].join('\n'),
  )
})

test('LOG_FORMAT=pretty replaces control characters, which a client may have sent', () => {
  const text = written('pretty', { name: 'a\u001b[2Jb', other: '\u202e' }, 'line\u001b[2J\nbreak')
  expect(stripVTControlCharacters(text)).toContain(String.raw`line�[2J�break name="a\u001b[2Jb" other="�"`)
})

test('LOG_FORMAT=json writes JSON, and so does a log that is not on a terminal', () => {
  const line = { level: 40, time: expect.any(String), status: 200, msg: 'a line' }
  expect(JSON.parse(written('json', { status: 200 }, 'a line'))).toEqual(line)
  expect(JSON.parse(written(undefined, { status: 200 }, 'a line'))).toEqual(line)
})
