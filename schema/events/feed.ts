import { z } from 'zod'
import { builder } from '../builder/builder.ts'
import { pageSize } from '../builder/pagination.ts'
import { createCursors } from '../lists/cursor.ts'
import type { Position } from '../lists/cursor.ts'
import type { Context } from '../core/context.ts'
import { cursorExpired } from '../core/errors.ts'
import { parse } from '../core/validation.ts'
import { TeamType } from '../teams/team.ts'
import { eventParts, readEvents, readableTypes } from './catalogue.ts'
import { EventNodeType, EventTypeEnum, buildEvent } from './event.ts'
import type { TeamEventNode } from './event.ts'
import { beginning, findFeedEvents } from './stream.ts'
import type { EventPosition } from './stream.ts'

export interface EventPage {
  nodes: TeamEventNode[]
  nextCursor: string
  perPage: number
}

const EventPageType = builder.objectRef<EventPage>('EventPage').implement({
  description: 'Events of a team, oldest first, and where to continue.',
  fields: (t) => ({
    nodes: t.expose('nodes', { type: [EventNodeType], description: 'The events.' }),
    nextCursor: t.exposeString('nextCursor', {
      description: 'The value of `after` for the events that follow, now or later. After an empty page it is the cursor that was sent.',
    }),
    perPage: t.exposeInt('perPage', { description: 'The largest number of events of a page.' }),
  }),
})

const rules = z.object({ first: pageSize })

builder.objectField(TeamType, 'events', (t) =>
  t.field({
    description:
      'What happened in the team, oldest first: a feed that a program reads to its end and then asks again for what is new. It contains the types that the caller may read; a type in `types` that it may not read is refused.',
    type: EventPageType,
    requires: readEvents,
    complexity: ({ first }) => ({ field: 1, multiplier: first ?? 50 }),
    args: {
      after: t.arg.string({ description: 'The `nextCursor` of the page before. Default: the beginning.' }),
      types: t.arg({ type: [EventTypeEnum], description: 'Only events of these types.' }),
      first: t.arg.int({ description: 'The largest number of events, at most 100. Default: 50.' }),
    },
    resolve: async ({ id, slug }, { after, types, first }, context) => {
      const { first: limit } = parse(rules, { first: first ?? undefined })
      const selectedTypes = await readableTypes(context, slug, types ?? null)
      const cursors = createCursors(context, `events ${id}`)
      const position = after == null ? beginning : readPosition(cursors.decode('after', after), context)
      const parts = eventParts.filter(({ type }) => selectedTypes.has(type))
      const rows = await findFeedEvents(context.database.pool, id, position, parts, limit)
      const last = rows.at(-1)
      const nextCursor = last || after == null ? cursors.encode(toCursorPosition(last ?? position)) : after
      return { nodes: rows.map(buildEvent), nextCursor, perPage: limit }
    },
  }),
)

const toCursorPosition = ({ transactionId, at, part, id }: EventPosition) => ({ values: [transactionId, at, String(part)], id })

/** Returns the position of a cursor. Throws if entries after it may have been deleted. */
function readPosition({ values: [transactionId, at, part], id }: Position, { auditDays, now }: Context): EventPosition {
  // The cursor of the beginning, `-infinity`, is never too old: the team has no events.
  if (auditDays > 0 && Date.parse(String(at)) < now().getTime() - auditDays * 86_400_000) throw cursorExpired()
  return { transactionId: String(transactionId), at: String(at), id, part: Number(part) }
}
