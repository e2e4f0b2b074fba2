import { describe, expect, test } from 'vitest'
import { renderMail } from '../../src/mail/templates/mail-layout.ts'
import { brand } from '../support/mail/brand.ts'
import { everyMail } from '../support/mail/every-mail.ts'
import { customerWords, wrongWordsIn } from '../support/words/forbidden-words.ts'

const email = 'jo@example.test'
const byOther = everyMail({ name: 'Northwind', by: 'Mara Lindqvist', email })
const byRecipient = everyMail({ name: 'Northwind', by: null, email })

/** The mails about a team, whose recipients often belong to several. */
const aboutTeams = Object.keys(byOther).filter((kind) => byOther[kind as keyof typeof byOther].reason.includes('of the team'))

describe.each(Object.entries({ 'someone else': byOther, 'the recipient': byRecipient }))('the mails about what %s did', (_, mails) => {
  test('have none of the forbidden words', () => {
    const wrong = Object.entries(mails).flatMap(([kind, content]) => {
      const { subject, text } = renderMail(content, brand, 'Jo New')
      return wrongWordsIn(`${subject}\n${text.replaceAll(/https?:\S+/g, '')}`, customerWords).map((each) => `${kind}: ${each}`)
    })
    expect(wrong).toEqual([])
  })

  test('begin their subject with the team, if they are about one', () => {
    expect(aboutTeams.length).toBeGreaterThan(4)
    for (const kind of aboutTeams) expect(mails[kind as keyof typeof mails].subject).toMatch(/^Northwind: /)
  })
})

test('a mail to the user who made a change does not describe it as made by someone else', () => {
  const eventOf = (mails: typeof byOther, kind: keyof typeof byOther) => {
    const [event = ''] = mails[kind].paragraphs
    return typeof event === 'string' ? event : event.text
  }
  const acts = ['team-token-created', 'role-changed', 'ownership-transferred', 'team-restored', 'team-deleted'] as const
  for (const kind of acts) {
    expect(eventOf(byOther, kind)).toMatch(/^Mara Lindqvist \w+/)
    expect(eventOf(byRecipient, kind)).toMatch(/^You \w+/)
  }
})
