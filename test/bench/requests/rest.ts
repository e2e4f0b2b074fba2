import { membersDocument } from '../contestants/graphql.ts'
import { bearer, get, onEachConnection } from './request.ts'
import type { BenchRequest } from './request.ts'

const json = { 'Content-Type': 'application/json' }

/** Requests of the REST API, and the members through GraphQL. */
export const apiRequests: readonly BenchRequest[] = [
  {
    name: 'teams',
    title: 'GET teams, 1 team',
    goals: { 'limit-rows': 0.6, express: 1 },
    bodies: 'equal',
    scripts: get('/api/v1/teams'),
  },
  {
    name: 'thirteen-teams',
    title: 'GET teams, 13 teams',
    goals: { 'limit-rows': 0.6, express: 1 },
    bodies: 'equal',
    scripts: get('/api/v1/teams', 'thirteenTeams'),
  },
  {
    name: 'members',
    title: 'members page (50)',
    goals: { 'limit-rows': 0.75, express: 1.25 },
    bodies: 'equal',
    scripts: get('/api/v1/teams/acme/members'),
  },
  {
    name: 'invoices',
    title: 'invoices page with lines (50)',
    goals: { 'limit-rows': 0.7, express: 1.2 },
    bodies: 'equal',
    scripts: get('/api/v1/teams/acme/invoices?expand[]=lines'),
  },
  {
    name: 'team',
    title: 'one team',
    goals: { 'limit-rows': 0.65, express: 1 },
    bodies: 'equal',
    scripts: get('/api/v1/teams/acme'),
  },
  {
    name: 'update-team',
    title: 'PATCH team',
    goals: { 'limit-rows': 0.27, express: 0.7 },
    bodies: 'same members',
    scripts: ({ owners }) =>
      owners.map((token, index) => ({
        method: 'PATCH',
        path: `/api/v1/teams/changed-${index + 1}`,
        headers: { ...bearer(token), ...json },
        body: JSON.stringify({ name: 'Changed {count}' }),
      })),
  },
  {
    name: 'graphql',
    title: 'members through `POST /graphql`',
    goals: { 'limit-rows': 0.6, express: 0.9 },
    bodies: 'equal',
    scripts: ({ callers }) =>
      onEachConnection({
        method: 'POST',
        path: '/graphql',
        headers: { ...bearer(callers.oneTeam), ...json, Accept: 'application/json' },
        body: JSON.stringify({ query: membersDocument, variables: { team: 'acme' } }),
      }),
  },
]
