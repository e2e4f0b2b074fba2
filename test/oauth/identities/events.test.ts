import { beforeAll, describe, expect, test } from 'vitest'
import type { Condition } from '../../../schema/workload-identities/conditions.ts'
import { presets } from '../../../schema/workload-identities/presets.ts'
import { createTeam } from '../../support/data/team.ts'
import { githubClaims, githubSuffix, gitlabClaims, useCiIssuers } from '../../support/identities/ci-issuer.ts'
import { createIdentity, exchangeAssertion } from '../../support/identities/identity.ts'
import { useService } from '../../support/service/service.ts'

// Jobs that can run the code of a fork get no token, whatever the conditions say. The lists contain every event of both products.

const service = useService()
const issuers = useCiIssuers()

const words = (text: string) => text.trim().split(/\s+/)

/** https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows */
const githubEvents = {
  refused: ['pull_request', 'pull_request_review', 'pull_request_review_comment', 'pull_request_target'],
  // They run the code of a branch or tag of the repository itself.
  accepted: words(`
    branch_protection_rule check_run check_suite create delete deployment deployment_status discussion discussion_comment
    dynamic fork gollum image_version issue_comment issues label merge_group milestone page_build public push
    registry_package release repository_dispatch schedule status watch workflow_call workflow_dispatch workflow_run`),
}

/** https://docs.gitlab.com/ci/jobs/job_rules/#ci_pipeline_source-predefined-variable, and the sources that only the API names. */
const gitlabSources = {
  refused: ['merge_request_event', 'external_pull_request_event'],
  accepted: words(`
    api chat container_registry_push duo_workflow external ondemand_dast_scan ondemand_dast_validation parent_pipeline
    pipeline pipeline_execution_policy_schedule push schedule security_orchestration_policy trigger web webide`),
}

interface Provider {
  name: string
  suffix: string
  claims: typeof githubClaims | typeof gitlabClaims
  conditions: Condition[]
  eventClaim: string
  events: { refused: string[]; accepted: string[] }
  /** Claims of a job that was started for the code of a fork. */
  forks: [claim: string, value: string][]
}

const providers: Provider[] = [
  {
    name: 'GitHub Actions',
    suffix: githubSuffix,
    claims: githubClaims,
    conditions: presets.github.listConditions({ projectId: '74', environment: 'production' }),
    eventClaim: 'event_name',
    events: githubEvents,
    forks: [
      ['ref', 'refs/pull/7/merge'],
      ['ref', 'refs/pull/7/head'],
      ['workflow_ref', 'octo-org/octo-repo/.github/workflows/deploy.yml@refs/pull/7/merge'],
      ['job_workflow_ref', 'octo-org/octo-repo/.github/workflows/deploy.yml@refs/pull/7/head'],
    ],
  },
  {
    // The issuer of a self-managed GitLab can have any URL.
    name: 'a self-managed GitLab',
    suffix: '',
    claims: gitlabClaims,
    conditions: presets.gitlab.listConditions({ projectId: '20', environment: 'production' }),
    eventClaim: 'pipeline_source',
    events: gitlabSources,
    forks: [
      ['ref', 'refs/merge-requests/7/head'],
      ['ref_path', 'refs/merge-requests/7/merge'],
      ['ref_path', 'refs/merge-requests/7/train'],
    ],
  },
]

describe.each(providers)('a job of $name', ({ suffix, claims, conditions, eventClaim, events, forks }) => {
  let issuer: Awaited<ReturnType<typeof issuers.create>>
  let id: string
  beforeAll(async () => {
    issuer = await issuers.create(suffix)
    id = await createIdentity(service, await createTeam(service.database), { issuer: issuer.url, conditions })
  })

  /** Sends the ID token of a job with these changes, and returns its status and the claim that is refused. */
  async function exchange(changes: object): Promise<string> {
    const assertion = await issuer.sign({ ...claims(issuer.url, service.url, service.clock.now()), ...changes })
    const { status, body } = await exchangeAssertion(service, { client_id: id, assertion })
    return `${status} ${/the claim (\w+)/.exec(String(body.error_description))?.[1] ?? ''}`.trim()
  }

  test.each(events.refused)('gets no token for the event %s', async (event) => {
    expect(await exchange({ [eventClaim]: event })).toBe(`400 ${eventClaim}`)
  })

  test.each(events.accepted)('gets a token for the event %s', async (event) => {
    expect(await exchange({ [eventClaim]: event })).toBe('200')
  })

  test.each([undefined, null, '', ['push'], { push: true }])('gets no token if its event is %j', async (event) => {
    expect(await exchange({ [eventClaim]: event })).toBe(`400 ${eventClaim}`)
  })

  test.each(forks)('gets no token if its claim %s is %s', async (claim, value) => {
    expect(await exchange({ [claim]: value })).toBe(`400 ${claim}`)
  })
})
