import { accountPath } from './addresses.ts'
import { page } from './declaration.ts'

/** The start: the first of the person's teams, or their account where they are in none. */
export const home = page({
  path: '/',
  title: 'Team accounts',
  before: ({ person }) => (person?.teams[0] ? `/teams/${person.teams[0].team.slug}` : accountPath),
  view: () => null,
})
