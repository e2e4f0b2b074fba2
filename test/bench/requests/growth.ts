import type { Sizes } from '../data/sizes.ts'
import type { Script } from '../measure/connection.ts'
import { get } from './request.ts'
import type { SeededData } from './request.ts'

/** The request that those of `growthRequests` are compared with: the first page of 1,000 members, for a caller with one team. */
export const growthReference = get('/api/v1/teams/acme/members')

/** A request that should cost no more than the reference although there is more data. */
interface GrowthRequest {
  name: string
  title: string
  /** Goal for its requests per second divided by those of the reference. */
  goal: number
  scripts(data: SeededData): Script[]
}

export const growthRequests = ({ largeTeam }: Sizes): readonly GrowthRequest[] => [
  {
    name: 'large-team',
    title: 'members page 1, team of 100,000 ÷ team of 1,000',
    goal: 0.8,
    scripts: get('/api/v1/teams/large/members', 'largeTeam'),
  },
  {
    name: 'last-page',
    title: 'last page of 100,000 ÷ first page of 1,000',
    goal: 0.75,
    scripts: get(`/api/v1/teams/large/members?page=${largeTeam / 50}`, 'largeTeam'),
  },
  {
    name: 'hundred-teams',
    title: 'caller with 100 teams ÷ with 1 team',
    goal: 0.95,
    scripts: get('/api/v1/teams/acme/members', 'hundredTeams'),
  },
  {
    name: 'thousand-teams',
    title: 'caller with 1,000 teams ÷ with 1 team',
    goal: 0.95,
    scripts: get('/api/v1/teams/acme/members', 'thousandTeams'),
  },
]
