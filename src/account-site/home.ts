import { accountPath } from '../web/page-paths.ts'
import { page } from './framework/page.ts'

/** The start page: redirects to the user's first team, or to the account when the user has no team. */
export const home = page({
  path: '/',
  title: 'Team accounts',
  redirectBefore: ({ teams: [first] }) => (first ? `/teams/${first.team.slug}` : accountPath),
  view: () => null,
})
