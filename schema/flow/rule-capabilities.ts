import { builder } from '../builder/builder.ts'
import { actionResults, conditionOperators, matchTypes, maxRuleGroupDepth, serverScopeModes } from './rule-model.ts'

interface Capability {
  value: string
  label: string
}

const RuleCapabilityType = builder.objectRef<Capability>('RuleCapability').implement({
  description: 'A value that rules may use, and its label.',
  fields: (t) => ({
    value: t.exposeString('value', { description: 'The value as it appears in a rule.' }),
    label: t.exposeString('label', { description: 'The label shown to users.' }),
  }),
})
const ConditionOperatorType = builder.objectRef<Capability & { valueType: string }>('ConditionOperator').implement({
  description: 'An operator of conditions.',
  fields: (t) => ({
    value: t.exposeString('value', { description: 'The operator as it appears in a rule.' }),
    label: t.exposeString('label', { description: 'The label shown to users.' }),
    valueType: t.exposeString('valueType', { description: 'Type of the operand: `string`, `number` or `string_list`.' }),
  }),
})

const listCapabilities = (table: Record<string, { label: string }>): Capability[] =>
  Object.entries(table).map(([value, { label }]) => ({ value, label }))

/** The rule model in the form that `ruleCapabilities` returns. */
export const ruleCapabilities = {
  conditionOperators: Object.entries(conditionOperators).map(([value, { label, valueType }]) => ({ value, label, valueType })),
  matchTypes: listCapabilities(matchTypes),
  actionResults: listCapabilities(actionResults),
  serverScopeModes: listCapabilities(serverScopeModes),
  maxRuleGroupDepth,
}

const RuleCapabilitiesType = builder.objectRef<typeof ruleCapabilities>('RuleCapabilities').implement({
  description: 'The values and limits of the rules of the flow product.',
  fields: (t) => ({
    conditionOperators: t.expose('conditionOperators', { type: [ConditionOperatorType], description: 'Operators of conditions.' }),
    matchTypes: t.expose('matchTypes', { type: [RuleCapabilityType], description: 'How the conditions of a group combine.' }),
    actionResults: t.expose('actionResults', { type: [RuleCapabilityType], description: 'What happens to a request that matches.' }),
    serverScopeModes: t.expose('serverScopeModes', { type: [RuleCapabilityType], description: 'The servers that a rule applies to.' }),
    maxRuleGroupDepth: t.exposeInt('maxRuleGroupDepth', { description: 'Maximum nesting depth of condition groups.' }),
  }),
})

builder.queryField('ruleCapabilities', (t) =>
  t.field({
    description: 'What rules of the flow product may contain.',
    type: RuleCapabilitiesType,
    requires: { scopes: ['flow:rules:read'], application: 'flow' },
    resolve: () => ruleCapabilities,
  }),
)
