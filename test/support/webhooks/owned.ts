import { openAs } from '../account-site/page-content.ts'
import { createTeam, join, personalToken } from '../data/team.ts'
import { createPerson } from '../oauth/oauth.ts'
import { request } from '../http/request.ts'
import type { TestService } from '../service/service.ts'
import { startReceiver } from './receiver.ts'
import { createWebhook } from './webhook.ts'

type Answer = Parameters<typeof startReceiver>[0]

/** Creates a team with an owner who is signed in, and a webhook whose endpoint answers as given. */
export async function ownedWebhook(service: TestService, answer?: Answer) {
  const { database } = service
  const [team, owner] = [await createTeam(database), await createPerson(database)]
  await join(database, team, owner, 'owner')
  const token = await personalToken(database, owner)
  const receiver = await startReceiver(answer)
  const { id, secret } = await createWebhook(service, team, receiver.url)
  const list = `/teams/${team.slug}/webhooks`
  const path = `${list}/${id}`
  const { browser, page } = await openAs(service, owner, path)
  /** Changes the name of the team, which is an event. */
  const rename = (name: string) => request(service, 'PATCH', `/api/v1/teams/${team.slug}`, { token, body: { name } })
  return { team, owner, token, receiver, id, secret, list, path, browser, page, rename }
}
