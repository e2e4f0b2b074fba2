import { z } from 'zod'
import { pageSize } from '../../schema/builder/pagination.ts'
import { eventTypeNames } from '../../schema/events/event-types.ts'
import { text } from '../../schema/core/validation.ts'
import { route } from '../route.ts'

export const eventRoutes = [
  route({
    operationId: 'v1.teams.events.index',
    tool: 'list_events',
    method: 'get',
    path: '/v1/teams/{teamSlug}/events',
    tag: 'Events',
    summary: 'List events',
    description:
      'Lists what happened in a team, oldest first. Read page after page with `meta.next_cursor`, which is never null: an empty page repeats the cursor to ask with later.',
    query: z
      .object({
        after: text.optional().describe('The `meta.next_cursor` of the page before. Default: the beginning.'),
        // An unknown parameter would be ignored, so a client for Laravel's paginators would read the first page for ever.
        cursor: text.optional().describe('The same as `after`, by the name that Laravel gives it.'),
        types: z
          .array(z.enum(eventTypeNames).meta({ id: 'EventType' }))
          .optional()
          .describe('Only events of these types. Default: all that the credential may read.'),
        per_page: pageSize,
      })
      .refine(({ after, cursor }) => after === undefined || cursor === undefined, {
        path: ['cursor'],
        message: 'The :attribute field must not be sent together with after.',
      }),
    computed: { after: ({ after, cursor }) => after ?? cursor },
    document: `query ($teamSlug: String!, $after: String, $types: [EventType!], $perPage: Int) {
      team(slug: $teamSlug) {
        events(after: $after, types: $types, first: $perPage) {
          nodes { id: eventId type occurred_at: occurredAt team sequence actor { kind id: userId name } data } nextCursor perPage
        }
      }
    }`,
    response: { kind: 'feed', at: 'team.events' },
  }),
]
