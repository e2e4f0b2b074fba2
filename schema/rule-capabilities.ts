import { builder } from './builder.ts'
import { forbidden } from './errors.ts'
import { authenticated } from './reach.ts'
import { actionResults, conditionOperators, matchTypes, maxRuleGroupDepth, serverScopeModes } from './rule-model.ts'

interface Capability {
  id: string
  label: string
}

const RuleCapabilityType = builder.objectRef<Capability>('RuleCapability').implement({
  description: 'A value that rules know, and its words.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'The value as rules carry it.' }),
    label: t.exposeString('label', { description: 'The value in words.' }),
  }),
})
const ConditionOperatorType = builder.objectRef<Capability & { valueType: string }>('ConditionOperator').implement({
  description: 'An operator of conditions.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'The operator as rules carry it.' }),
    label: t.exposeString('label', { description: 'The operator in words.' }),
    valueType: t.exposeString('valueType', { description: 'What it compares with: `string`, `number` or `string_list`.' }),
  }),
})

const listed = (table: Record<string, { label: string }>): Capability[] => Object.entries(table).map(([id, { label }]) => ({ id, label }))

/** The rule model as it is published: what every caller of `ruleCapabilities` gets. */
export const ruleCapabilities = {
  conditionOperators: Object.entries(conditionOperators).map(([id, { label, valueType }]) => ({ id, label, valueType })),
  matchTypes: listed(matchTypes),
  actionResults: listed(actionResults),
  serverScopeModes: listed(serverScopeModes),
  maxRuleGroupDepth,
}

const RuleCapabilitiesType = builder.objectRef<typeof ruleCapabilities>('RuleCapabilities').implement({
  description: 'What rules can be made of.',
  fields: (t) => ({
    conditionOperators: t.expose('conditionOperators', { type: [ConditionOperatorType], description: 'Operators of conditions.' }),
    matchTypes: t.expose('matchTypes', { type: [RuleCapabilityType], description: 'How the conditions of a group combine.' }),
    actionResults: t.expose('actionResults', { type: [RuleCapabilityType], description: 'What becomes of a request that matches.' }),
    serverScopeModes: t.expose('serverScopeModes', { type: [RuleCapabilityType], description: 'Which servers a rule is for.' }),
    maxRuleGroupDepth: t.exposeInt('maxRuleGroupDepth', { description: 'How deep groups of conditions may nest.' }),
  }),
})

builder.queryField('ruleCapabilities', (t) =>
  t.field({
    description: 'What the flow product’s rules can be made of. Needs access to the application `flow` in some team.',
    type: RuleCapabilitiesType,
    requires: { scopes: ['flow:rules:read'] },
    resolve: (_, __, context) => {
      const principal = authenticated(context)
      const allowed =
        principal.kind === 'operator' ||
        principal.teams.some(({ allApplications, applications }) => allApplications || applications.includes('flow'))
      if (!allowed) throw forbidden('role_required')
      return ruleCapabilities
    },
  }),
)
