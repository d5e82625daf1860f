import { expect, it } from "vitest";
import { findValidationCode } from "../../../../core/domain/sources/event-grid.ts";
import { testWithoutData, event, testMessages, omitFields } from "./table.ts";

const ALERT = "/subscriptions/1/providers/Microsoft.AlertsManagement/alerts/B9569717";
const VM = "/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1";
const commonAlert = (essentials: object, alertContext: object = {}, fields: object = {}) => ({
  schemaId: "azureMonitorCommonAlertSchema",
  data: {
    essentials: {
      alertId: ALERT,
      alertRule: "CPU above 90",
      severity: "Sev1",
      signalType: "Metric",
      monitorCondition: "Fired",
      monitoringService: "Platform",
      alertTargetIDs: [VM],
      configurationItems: ["db-1"],
      description: "The machine is busy.",
      firedDateTime: "2026-11-22T10:00:00.1234567Z",
      ...essentials,
    },
    alertContext,
    ...fields,
  },
});
const metric = {
  conditionType: "SingleResourceMultipleMetricCriteria",
  condition: {
    windowSize: "PT5M",
    allOf: [
      {
        metricName: "Percentage CPU",
        operator: "GreaterThan",
        threshold: "90",
        metricValue: 97.5,
        dimensions: [{ name: "disk", value: "sda" }],
      },
    ],
  },
};
const olderAlert = (status: string, fields: object = {}) => ({
  schemaId: "AzureMonitorMetricAlert",
  data: {
    version: "2.0",
    status,
    context: {
      timestamp: "2026-11-22T10:00:00Z",
      id: "/subscriptions/1/resourceGroups/shop/providers/microsoft.insights/metricAlerts/cpu",
      name: "cpu",
      description: "",
      severity: "2",
      ...metric,
      resourceName: "db-1",
      resourceId: VM,
      portalLink: "https://portal.azure.com/#resource/db-1",
      ...fields,
    },
    properties: {},
  },
});
const classicAlert = (status: string) => ({
  status,
  context: {
    timestamp: "2026-11-22T10:00:00Z",
    id: "/subscriptions/1/alertrules/queue",
    name: "Queue is long",
    description: "More than 100 orders wait.",
    conditionType: "Metric",
    condition: { metricName: "Messages", metricValue: "120", threshold: "100", operator: "GreaterThan" },
    resourceId: "/subscriptions/1/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/orders",
    portalLink: "https://portal.azure.com/#resource/orders",
  },
});
const logEntry = (properties: object, fields: object = {}) => ({
  schemaId: "Microsoft.Insights/activityLogs",
  data: {
    status: "Activated",
    context: {
      activityLog: {
        correlationId: "c-1",
        eventDataId: "e-1",
        eventSource: "ServiceHealth",
        eventTimestamp: "2026-11-22T10:00:00Z",
        level: "Error",
        operationName: "Microsoft.ServiceHealth/incident/action",
        status: "Active",
        properties,
        ...fields,
      },
    },
    properties: {},
  },
});
const gridEvents = (fields: object, data: object = {}) => [
  {
    id: "g-1",
    topic: "/subscriptions/1",
    subject: "vaults/shop",
    eventType: "Microsoft.KeyVault.SecretNearExpiry",
    eventTime: "2026-11-22T10:00:00Z",
    data,
    dataVersion: "1",
    metadataVersion: "1",
    ...fields,
  },
];
const healthOf = (availabilityState: string, at: string | undefined) => ({
  resourceInfo: {
    id: "x",
    properties: {
      targetResourceId: VM,
      availabilityState,
      previousAvailabilityState: "Unknown",
      occurredTime: at,
      summary: "The host has failed.",
    },
  },
});

const fired = event("azure_monitor.firing HIGH | CPU above 90 on db-1 | The machine is busy.", {
  data: {
    rule: "CPU above 90",
    target: "/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1",
    severity: "Sev1",
    "dimensions.disk": "sda",
    "essentials.alertId": "/subscriptions/1/providers/Microsoft.AlertsManagement/alerts/B9569717",
    "essentials.alertRule": "CPU above 90",
    "essentials.severity": "Sev1",
    "essentials.signalType": "Metric",
    "essentials.monitorCondition": "Fired",
    "essentials.monitoringService": "Platform",
    "essentials.alertTargetIDs.0":
      "/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1",
    "essentials.configurationItems.0": "db-1",
    "essentials.description": "The machine is busy.",
    "essentials.firedDateTime": "2026-11-22T10:00:00.1234567Z",
    "alertContext.conditionType": "SingleResourceMultipleMetricCriteria",
    "alertContext.condition.windowSize": "PT5M",
    "alertContext.condition.allOf.0.metricName": "Percentage CPU",
    "alertContext.condition.allOf.0.operator": "GreaterThan",
    "alertContext.condition.allOf.0.threshold": "90",
    "alertContext.condition.allOf.0.metricValue": 97.5,
    "alertContext.condition.allOf.0.dimensions.0.name": "disk",
    "alertContext.condition.allOf.0.dimensions.0.value": "sda",
    "customProperties.team": "db",
  },
  dedupeKey: "azure-monitor:/subscriptions/1/providers/microsoft.alertsmanagement/alerts/b9569717",
  changedAt: 1795341600123,
});
const ended = event("azure_monitor.resolved LOW | Resolved: CPU above 90 on db-1 | The machine is busy.", {
  data: {
    ...omitFields(fired.data, "customProperties.team"),
    "essentials.monitorCondition": "Resolved",
    "essentials.resolvedDateTime": "2026-11-22T10:09:00.7654321Z",
  },
  resolves: "azure-monitor:/subscriptions/1/providers/microsoft.alertsmanagement/alerts/b9569717",
  changedAt: 1795342140765,
  once: "azure-monitor:/subscriptions/1/providers/microsoft.alertsmanagement/alerts/b9569717:2026-11-22T10:09:00.7654321Z",
});

testMessages("azure-monitor", {
  "a metric alert in the common schema": [commonAlert({}, metric, { customProperties: { team: "db" } }), fired],
  "the end of a metric alert in the common schema": [
    commonAlert({ monitorCondition: "Resolved", resolvedDateTime: "2026-11-22T10:09:00.7654321Z" }, metric),
    ended,
  ],
  "a metric alert without a description": [
    commonAlert({ description: "", severity: "Sev0", configurationItems: undefined }, metric),
    {
      ...fired,
      body: "Percentage CPU 97.5 GreaterThan 90",
      priority: "URGENT",
      data: {
        ...omitFields(fired.data, "essentials.configurationItems.0", "customProperties.team"),
        severity: "Sev0",
        "essentials.severity": "Sev0",
        "essentials.description": "",
      },
    },
  ],
  "a log search alert": [
    commonAlert(
      {
        alertRule: "Errors of db-1",
        severity: "Sev3",
        monitoringService: "Log Alerts V2",
        investigationLink: "https://portal.azure.com/#view/alert",
      },
      {
        conditionType: "LogQueryCriteria",
        condition: {
          allOf: [
            {
              searchQuery: "errors",
              metricValue: 7,
              operator: "GreaterThan",
              threshold: "5",
              linkToSearchResultsUI: "https://portal.azure.com/#logs",
            },
          ],
        },
      },
    ),
    {
      ...fired,
      title: "Errors of db-1",
      priority: "LOW",
      url: "https://portal.azure.com/#view/alert",
      data: {
        "links.Alert": "https://portal.azure.com/#view/alert",
        "links.Search": "https://portal.azure.com/#logs",
        rule: "Errors of db-1",
        target: "/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1",
        severity: "Sev3",
        "essentials.alertId": "/subscriptions/1/providers/Microsoft.AlertsManagement/alerts/B9569717",
        "essentials.alertRule": "Errors of db-1",
        "essentials.severity": "Sev3",
        "essentials.signalType": "Metric",
        "essentials.monitorCondition": "Fired",
        "essentials.monitoringService": "Log Alerts V2",
        "essentials.alertTargetIDs.0":
          "/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1",
        "essentials.configurationItems.0": "db-1",
        "essentials.description": "The machine is busy.",
        "essentials.firedDateTime": "2026-11-22T10:00:00.1234567Z",
        "essentials.investigationLink": "https://portal.azure.com/#view/alert",
        "alertContext.conditionType": "LogQueryCriteria",
        "alertContext.condition.allOf.0.searchQuery": "errors",
        "alertContext.condition.allOf.0.metricValue": 7,
        "alertContext.condition.allOf.0.operator": "GreaterThan",
        "alertContext.condition.allOf.0.threshold": "5",
        "alertContext.condition.allOf.0.linkToSearchResultsUI": "https://portal.azure.com/#logs",
      },
    },
  ],
  "an older metric alert": [
    olderAlert("Activated"),
    {
      ...fired,
      title: "cpu on db-1",
      body: "Percentage CPU 97.5 GreaterThan 90",
      priority: "NORMAL",
      url: "https://portal.azure.com/#resource/db-1",
      dedupeKey:
        "azure-monitor:rule:/subscriptions/1/resourcegroups/shop/providers/microsoft.insights/metricalerts/cpu:cpu:/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1:disk:sda",
      changedAt: 1795341600000,
      data: {
        "links.Alert": "https://portal.azure.com/#resource/db-1",
        rule: "cpu",
        target: "/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1",
        severity: "2",
        "dimensions.disk": "sda",
        version: "2.0",
        status: "Activated",
        "context.timestamp": "2026-11-22T10:00:00Z",
        "context.id": "/subscriptions/1/resourceGroups/shop/providers/microsoft.insights/metricAlerts/cpu",
        "context.name": "cpu",
        "context.description": "",
        "context.severity": "2",
        "context.conditionType": "SingleResourceMultipleMetricCriteria",
        "context.condition.windowSize": "PT5M",
        "context.condition.allOf.0.metricName": "Percentage CPU",
        "context.condition.allOf.0.operator": "GreaterThan",
        "context.condition.allOf.0.threshold": "90",
        "context.condition.allOf.0.metricValue": 97.5,
        "context.condition.allOf.0.dimensions.0.name": "disk",
        "context.condition.allOf.0.dimensions.0.value": "sda",
        "context.resourceName": "db-1",
        "context.resourceId": "/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1",
        "context.portalLink": "https://portal.azure.com/#resource/db-1",
      },
    },
  ],
  "events of Event Grid": [
    [...gridEvents({}), ...gridEvents({ id: "g-2", subject: "vaults/web" }, { message: "Expires on Friday" })],
    [
      event("azure_monitor.info LOW | SecretNearExpiry: vaults/shop | vaults/shop", {
        data: { type: "Microsoft.KeyVault.SecretNearExpiry", subject: "vaults/shop", topic: "/subscriptions/1" },
        changedAt: 1795341600000,
        once: "azure-monitor:event:g-1",
      }),
      event("azure_monitor.info LOW | SecretNearExpiry: vaults/web | Expires on Friday", {
        data: {
          type: "Microsoft.KeyVault.SecretNearExpiry",
          subject: "vaults/web",
          topic: "/subscriptions/1",
          "data.message": "Expires on Friday",
        },
        changedAt: 1795341600000,
        once: "azure-monitor:event:g-2",
      }),
    ],
  ],
  "the validation request of Event Grid": [
    gridEvents(
      { eventType: "Microsoft.EventGrid.SubscriptionValidationEvent" },
      { validationCode: "512d38b6", validationUrl: "https://rp-westeurope.eventgrid.azure.net/validate" },
    ),
    [],
  ],
});

testWithoutData("azure-monitor", {
  "the end of an older metric alert": [
    olderAlert("Deactivated", { timestamp: "2026-11-22T10:30:00Z" }),
    event("azure_monitor.resolved LOW | Resolved: cpu on db-1 | Percentage CPU 97.5 GreaterThan 90", {
      url: "https://portal.azure.com/#resource/db-1",
      resolves:
        "azure-monitor:rule:/subscriptions/1/resourcegroups/shop/providers/microsoft.insights/metricalerts/cpu:cpu:/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1:disk:sda",
      changedAt: 1795343400000,
      once: "azure-monitor:rule:/subscriptions/1/resourcegroups/shop/providers/microsoft.insights/metricalerts/cpu:cpu:/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1:disk:sda:2026-11-22T10:30:00Z",
    }),
  ],
  "a classic alert": [
    classicAlert("Activated"),
    event("azure_monitor.firing NORMAL | Queue is long on orders | More than 100 orders wait.", {
      url: "https://portal.azure.com/#resource/orders",
      dedupeKey:
        "azure-monitor:rule:/subscriptions/1/alertrules/queue:queue is long:/subscriptions/1/resourcegroups/shop/providers/microsoft.storage/storageaccounts/orders",
      changedAt: 1795341600000,
    }),
  ],
  "the end of a classic alert": [
    classicAlert("Resolved"),
    event("azure_monitor.resolved LOW | Resolved: Queue is long on orders | More than 100 orders wait.", {
      url: "https://portal.azure.com/#resource/orders",
      resolves:
        "azure-monitor:rule:/subscriptions/1/alertrules/queue:queue is long:/subscriptions/1/resourcegroups/shop/providers/microsoft.storage/storageaccounts/orders",
      changedAt: 1795341600000,
      once: "azure-monitor:rule:/subscriptions/1/alertrules/queue:queue is long:/subscriptions/1/resourcegroups/shop/providers/microsoft.storage/storageaccounts/orders:2026-11-22T10:00:00Z",
    }),
  ],
  "an older log alert, which has no end": [
    {
      schemaId: "Microsoft.Insights/LogAlert",
      data: {
        SubscriptionId: "1",
        AlertRuleName: "Errors",
        SearchQuery: "errors",
        ResultCount: 7,
        LinkToSearchResults: "https://portal.azure.com/#logs",
        Description: "More than 5 errors",
        Severity: "Warning",
      },
    },
    event("azure_monitor.firing NORMAL | Errors | More than 5 errors", {
      url: "https://portal.azure.com/#logs",
      dedupeKey: "azure-monitor:rule:1:errors:",
    }),
  ],
  "a log alert without a schema": [
    {
      SubscriptionId: "1",
      AlertRuleName: "Errors",
      ResultCount: 7,
      Description: "More than 5 errors",
      Severity: "Critical",
    },
    event("azure_monitor.firing URGENT | Errors | More than 5 errors", { dedupeKey: "azure-monitor:rule:1:errors:" }),
  ],
  "an incident of Azure": [
    logEntry({
      trackingId: "VL15-XYZ",
      title: "Storage in West Europe",
      stage: "Active",
      incidentType: "Incident",
      communication: "We are looking into it.",
    }),
    event("azure_monitor.firing HIGH | Storage in West Europe", {
      dedupeKey: "azure-monitor:incident:vl15-xyz",
      changedAt: 1795341600000,
    }),
  ],
  "the end of an incident of Azure, in a later entry": [
    logEntry(
      { trackingId: "VL15-XYZ", title: "Storage in West Europe", stage: "RCA" },
      { eventTimestamp: "2026-11-22T12:00:00Z", correlationId: "c-2" },
    ),
    event("azure_monitor.resolved LOW | Resolved: Storage in West Europe | Storage in West Europe", {
      resolves: "azure-monitor:incident:vl15-xyz",
      changedAt: 1795348800000,
      once: "azure-monitor:incident:vl15-xyz:2026-11-22T12:00:00Z",
    }),
  ],
  "a planned maintenance": [
    logEntry({ trackingId: "VM10-1", title: "Updates of hosts", stage: "Planned" }, { level: "Informational" }),
    event("azure_monitor.info LOW | Updates of hosts", { changedAt: 1795341600000 }),
  ],
  "the health of a resource": [
    logEntry(
      { currentHealthStatus: "Unavailable", previousHealthStatus: "Available", title: "The machine has stopped" },
      { resourceId: VM, eventSource: "ResourceHealth", level: "Critical" },
    ),
    event("azure_monitor.firing URGENT | The machine has stopped on db-1", {
      dedupeKey:
        "azure-monitor:health:/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1",
      changedAt: 1795341600000,
    }),
  ],
  "a resource that is healthy again, in the common schema": [
    commonAlert(
      {
        signalType: "Activity Log",
        monitoringService: "Resource Health",
        alertRule: "Health",
        severity: "Sev4",
        description: "",
        alertTargetIDs: [VM.toUpperCase()],
      },
      {
        correlationId: "c-4",
        eventTimestamp: "2026-11-22T10:20:00Z",
        level: 3,
        operationName: "Microsoft.Resourcehealth/healthevent/action",
        properties: { currentHealthStatus: "Available", title: "The machine has stopped" },
        status: "Resolved",
      },
    ),
    event("azure_monitor.resolved LOW | Resolved: The machine has stopped on db-1 | The machine has stopped on db-1", {
      resolves:
        "azure-monitor:health:/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1",
      changedAt: 1795342800000,
      once: "azure-monitor:health:/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1:2026-11-22T10:20:00Z",
    }),
  ],
  "a resource of unknown health": [
    logEntry({ currentHealthStatus: "Unknown" }, { resourceId: VM, level: "Informational" }),
    event("azure_monitor.info LOW | Microsoft.ServiceHealth/incident/action on db-1", { changedAt: 1795341600000 }),
  ],
  "a person's operation for which an alert was defined": [
    logEntry(
      {},
      {
        operationName: "Microsoft.Compute/virtualMachines/deallocate/action",
        eventSource: "Administrative",
        level: "Informational",
        status: "Started",
        resourceId: VM,
      },
    ),
    event("azure_monitor.firing LOW | Microsoft.Compute/virtualMachines/deallocate/action on db-1", {
      dedupeKey: "azure-monitor:operation:c-1:microsoft.compute/virtualmachines/deallocate/action",
      changedAt: 1795341600000,
    }),
  ],
  "a resource that was scaled": [
    {
      version: "1.0",
      status: "Activated",
      operation: "Scale Out",
      context: {
        timestamp: "2026-11-22T10:00:00Z",
        id: "/subscriptions/1/autoscale",
        name: "web",
        details: "From 2 to 3 machines",
      },
    },
    event("azure_monitor.info LOW | web | From 2 to 3 machines", { changedAt: 1795341600000 }),
  ],
  "an unknown schema": [
    { schemaId: "AIP Budget Notification", data: { BudgetName: "Shop", Budget: "100", SpendingAmount: "120" } },
    event("azure_monitor.info LOW | AIP Budget Notification"),
  ],
  "an unavailable resource, from Event Grid": [
    gridEvents(
      { eventType: "Microsoft.ResourceNotifications.HealthResources.AvailabilityStatusChanged", subject: VM },
      healthOf("Unavailable", "2026-11-22T09:59:00Z"),
    ),
    event("azure_monitor.firing HIGH | db-1 is unavailable | The host has failed.", {
      dedupeKey:
        "azure-monitor:health:/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1",
      changedAt: 1795341540000,
      once: "azure-monitor:event:g-1",
    }),
  ],
  "a resource that is available again, in the schema of CloudEvents": [
    [
      {
        specversion: "1.0",
        id: "g-3",
        source: "/subscriptions/1",
        type: "Microsoft.ResourceNotifications.HealthResources.AvailabilityStatusChanged",
        subject: VM,
        time: "2026-11-22T10:30:00Z",
        data: healthOf("Available", undefined),
      },
    ],
    event("azure_monitor.resolved LOW | Resolved: db-1 is available | The host has failed.", {
      resolves:
        "azure-monitor:health:/subscriptions/1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/db-1",
      changedAt: 1795343400000,
      once: "azure-monitor:event:g-3",
    }),
  ],
  "an alert with only a state and an id": [
    { id: "1", status: "Activated" },
    event("azure_monitor.firing NORMAL | Azure Monitor", { dedupeKey: "azure-monitor:rule:::" }),
  ],
  "the end of an older alert without a time, whose dimensions lack names and values": [
    olderAlert("Deactivated", {
      timestamp: undefined,
      id: "/subscriptions/1/rules/cpu",
      resourceId: `${VM}/`,
      condition: { allOf: [{ dimensions: [{ name: "disk" }, { value: "sda" }] }] },
    }),
    event("azure_monitor.resolved LOW | Resolved: cpu on db-1 | cpu on db-1", {
      changedAt: undefined,
      once: undefined,
      url: "https://portal.azure.com/#resource/db-1",
      resolves: `azure-monitor:rule:/subscriptions/1/rules/cpu:cpu:${VM}/:disk:::sda`,
    }),
  ],
  "a firing alert with an end time in the year 1": [
    commonAlert({ resolvedDateTime: "0001-01-01T00:00:00Z" }),
    event("azure_monitor.firing HIGH | CPU above 90 on db-1 | The machine is busy.", {
      dedupeKey: `azure-monitor:${ALERT.toLowerCase()}`,
      changedAt: 1795341600123,
    }),
  ],
  "an entry of the activity log in the common schema, with its own level": [
    commonAlert({ severity: "Sev4", description: "" }, { correlationId: "c-5", level: "Error", operationName: "Stop" }),
    event("azure_monitor.firing HIGH | CPU above 90 on db-1", {
      dedupeKey: "azure-monitor:operation:c-5:stop",
      changedAt: 1795341600123,
    }),
  ],
  "an entry of the activity log without an operation": [
    logEntry({}, { operationName: undefined }),
    event("azure_monitor.firing HIGH | Microsoft.Insights/activityLogs", {
      dedupeKey: "azure-monitor:operation:c-1:",
      changedAt: 1795341600000,
    }),
  ],
  "the health of a resource without an id": [
    logEntry({ currentHealthStatus: "Unavailable", title: "Stopped" }),
    event("azure_monitor.firing HIGH | Stopped", {
      dedupeKey: "azure-monitor:health:",
      changedAt: 1795341600000,
    }),
  ],
  "a single event of Event Grid without a subject": [
    { id: "g-4", eventType: "Shop.OrderFailed", data: { summary: "No stock." } },
    event("azure_monitor.info LOW | OrderFailed: | No stock.", { once: "azure-monitor:event:g-4" }),
  ],
});

testMessages("azure-monitor", {
  "a single event in the schema of CloudEvents, with its own title": [
    { id: "g-5", type: "Shop.OrderFailed", source: "/shop", subject: "orders/1", data: { title: "No stock." } },
    event("azure_monitor.info LOW | OrderFailed: orders/1 | No stock.", {
      data: { type: "Shop.OrderFailed", subject: "orders/1", topic: "/shop", "data.title": "No stock." },
      once: "azure-monitor:event:g-5",
    }),
  ],
});

const asking = {
  id: "g-6",
  eventType: "Microsoft.EventGrid.SubscriptionValidationEvent",
  data: { validationCode: "A1" },
};

it.each([
  [
    "the code of the request, if the request is one entry of a list",
    [...gridEvents({ data: { validationCode: "B2" } }), asking],
    "A1",
  ],
  [
    "the code of the request, if the request has the schema of CloudEvents",
    { ...asking, eventType: undefined, type: asking.eventType },
    "A1",
  ],
  ["no code if the message is an event, not a request", gridEvents({ data: { validationCode: "B2" } }), undefined],
  ["no code if the message is an alert, not a request", classicAlert("Activated"), undefined],
])("the answer to a validation request of Event Grid contains %s", (_, body, code) => {
  expect(findValidationCode(body)).toBe(code);
});
