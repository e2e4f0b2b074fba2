import { ownTeamsPath } from '../web/page-paths.ts'
import { page } from './framework/page.ts'

/** The start page: redirects to the team that the browser opened last, or the first, or to the user’s teams and invitations when the user has no team. */
export const home = page({
  path: '/',
  title: 'Start',
  load: ({ currentTeam }) => (currentTeam ? `/teams/${currentTeam.team.slug}` : ownTeamsPath),
  view: () => null,
})
