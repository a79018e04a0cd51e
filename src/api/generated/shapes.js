// Generated from src/api/openapi.json by `npm run generate`. Do not edit.
export const shapes = {
  "Localization": {
    "dateFormat": "s",
    "timeFormat": "s",
    "timeZone": "s",
    "timestamps": "o"
  },
  "CleanupResponse": {
    "operation": "#Operation",
    "replayed": "b",
    "localization": "#Localization"
  },
  "Operation": {
    "id": "s",
    "type": "s",
    "state": "s",
    "phase": "s",
    "serverId": "s",
    "sourceId": "s",
    "resourceId": "s",
    "requestedBy": "s",
    "createdAt": "t",
    "updatedAt": "t",
    "startedAt": "t",
    "finishedAt": "t",
    "deletedAt": "t",
    "cancelRequestedAt": "t",
    "errorCode": "s",
    "errorMessage": "s",
    "request": {
      "type": "s",
      "release": {
        "containerName": "s",
        "imageTag": "s",
        "releaseId": "s"
      },
      "job": "#JobDefinition",
      "scheduledAt": "s"
    },
    "result": {
      "jobName": "s",
      "exitCode": "n",
      "timedOut": "b",
      "logs": "s",
      "truncated": "b"
    }
  },
  "JobDefinition": {
    "name": "s",
    "command": [
      "s"
    ],
    "schedule": {
      "cron": "s",
      "timezone": "s"
    },
    "timeoutSeconds": "n",
    "enabled": "b",
    "description": "s"
  },
  "OperationResponse": {
    "operation": "#Operation",
    "localization": "#Localization"
  },
  "AlertListing": {
    "rules": [
      "#AlertRule"
    ],
    "workloads": [
      "#AlertWorkload"
    ],
    "destinations": [
      "#AlertDestination"
    ],
    "providers": {
      "chat-a": "b",
      "chat-b": "b",
      "smtp": "b",
      "chat-c": "b",
      "webhook": "b"
    },
    "canManage": "b",
    "localization": "#Localization"
  },
  "AlertRule": {
    "id": "s",
    "workspaceId": "s",
    "serverId": "s",
    "deployableId": "s",
    "name": "s",
    "enabled": "b",
    "severity": "s",
    "environment": "s",
    "evaluationState": "s",
    "evaluatedAt": "t",
    "createdAt": "t",
    "updatedAt": "t",
    "deletedAt": "t",
    "observedValue": "n",
    "condition": "#AlertCondition",
    "httpCheck": {
      "rule_id": "s",
      "checked_at": "t",
      "state": "s",
      "status_code": "n",
      "latency_ms": "n",
      "reason": "s"
    }
  },
  "AlertCondition": {
    "metric": "s",
    "operator": "s",
    "threshold": "n",
    "windowSeconds": "n",
    "aggregation": "s",
    "http": {
      "url": "s",
      "method": "s",
      "intervalSeconds": "n",
      "timeoutSeconds": "n",
      "expectedStatusMin": "n",
      "expectedStatusMax": "n",
      "maxRedirects": "n"
    }
  },
  "AlertWorkload": {
    "id": "s",
    "name": "s",
    "sourceId": "s",
    "kind": "s"
  },
  "AlertDestination": {
    "categories": [
      "s"
    ],
    "enabled": "b",
    "id": "s",
    "provider": "s",
    "source": "s"
  },
  "ResourceListing": {
    "resources": [
      "#Resource"
    ],
    "localization": "#Localization"
  },
  "Resource": {
    "id": "s",
    "name": "s",
    "description": "s",
    "entityId": "s",
    "manifestId": "s",
    "sourceId": "s",
    "sourceRevision": "s",
    "serverIp": "s",
    "kind": "s",
    "serverReady": "b",
    "archivedAt": "t",
    "createdAt": "t",
    "updatedAt": "t",
    "environment": "#ResourceEnvironment",
    "runtimeState": "#RuntimeState",
    "config": "#ResourceConfig"
  },
  "ResourceEnvironment": {
    "id": "s",
    "name": "s",
    "branch": "s",
    "disconnectedAt": "t"
  },
  "RuntimeState": {
    "desiredState": "s",
    "driftReasons": [
      "s"
    ],
    "driftStatus": "s",
    "healthStatus": "s",
    "ingressStatus": "s",
    "observedState": "s",
    "checkedAt": "t",
    "ingressContainerName": "s",
    "ingressImage": "s",
    "observedContainerName": "s",
    "observedImage": "s",
    "ingressRestartCount": "n"
  },
  "ResourceConfig": {
    "id": "s",
    "name": "s",
    "server": "s",
    "sourceBranch": "s",
    "context": "s",
    "dockerfile": "s",
    "description": "s",
    "kind": "s",
    "autoDeploy": "b",
    "vulnerabilityScanning": "b",
    "deploymentInputs": [
      "s"
    ],
    "logDrains": [
      "s"
    ],
    "jobs": [
      "#JobDefinition"
    ],
    "container": {
      "port": "n",
      "network": "s",
      "networkAlias": "s",
      "volumes": [
        {
          "name": "s",
          "mountPath": "s",
          "initialData": "s"
        }
      ],
      "resources": "#ResourceLimits"
    },
    "health": {
      "path": "s",
      "timeoutSeconds": "n"
    },
    "hooks": {
      "postDeploy": "#LifecycleHook",
      "preDeploy": "#LifecycleHook"
    },
    "buildServer": {
      "ip": "s",
      "allowRuntimeFallback": "b",
      "transfer": "s",
      "registry": "s",
      "architecture": "s"
    },
    "deployment": {
      "type": "s",
      "context": "s",
      "arguments": "o",
      "resources": "#ResourceLimits",
      "dockerfile": "s",
      "timeoutSeconds": "n",
      "target": "s",
      "architecture": "s",
      "cache": {
        "enabled": "b",
        "scope": "s"
      }
    },
    "domains": {
      "primary": "s",
      "redirects": [
        {
          "host": "s",
          "status": "n"
        }
      ]
    },
    "preview": {
      "domain": "s",
      "enabled": "b",
      "ttlHours": "n"
    },
    "externalSecrets": "o",
    "ingress": {
      "type": "s"
    },
    "rollout": {
      "type": "s",
      "replicas": "n",
      "maxSurge": "n",
      "maxUnavailable": "n",
      "startupDeadlineSeconds": "n",
      "minimumHealthySeconds": "n",
      "failureThreshold": "n",
      "drainSeconds": "n",
      "terminationSeconds": "n"
    },
    "telemetry": {
      "integration": "s",
      "signals": [
        "s"
      ],
      "protocol": "s",
      "sampling": "n",
      "cardinalityLimit": "n",
      "redactAttributes": [
        "s"
      ]
    },
    "tls": {
      "mode": "s"
    }
  },
  "ResourceLimits": {
    "cpus": "n",
    "memory": "s"
  },
  "LifecycleHook": {
    "command": [
      "s"
    ],
    "timeoutSeconds": "n"
  },
  "SecretListing": {
    "environments": [
      "s"
    ],
    "bindings": [
      "#SecretBinding"
    ],
    "canManageSecrets": "b",
    "localization": "#Localization"
  },
  "SecretBinding": {
    "environment": "s",
    "stage": "s",
    "declared": "b",
    "keys": [
      "s"
    ],
    "revision": "s",
    "updatedAt": "t",
    "pendingChanges": "b",
    "missingKeys": [
      "s"
    ],
    "inheritedKeys": [
      "s"
    ],
    "inheritedOrigins": "o",
    "inheritedRevisions": {
      "global": "s",
      "source": "s"
    },
    "availableReferences": {
      "globals": [
        "s"
      ],
      "source": [
        "s"
      ]
    },
    "affectedDeployables": [
      {
        "id": "s",
        "name": "s",
        "kind": "s"
      }
    ]
  },
  "DeploymentListing": {
    "deployments": [
      "#Deployment"
    ],
    "localization": "#Localization"
  },
  "Deployment": {
    "id": "s",
    "appId": "s",
    "commitSha": "s",
    "gitRef": "s",
    "codehostDeploymentId": "s",
    "hostname": "s",
    "imageDigest": "s",
    "imagePlatform": "s",
    "manifestDigest": "s",
    "sourceInputDigest": "s",
    "serverId": "s",
    "sourceId": "s",
    "errorCode": "s",
    "errorMessage": "s",
    "deployableKind": "s",
    "environment": "s",
    "kind": "s",
    "state": "s",
    "trigger": "s",
    "createdAt": "t",
    "startedAt": "t",
    "finishedAt": "t",
    "updatedAt": "t",
    "targetEnvironment": "#DeploymentTarget"
  },
  "DeploymentTarget": {
    "id": "s",
    "name": "s",
    "branch": "s",
    "mappingRevision": "s"
  },
  "RepositoryListing": {
    "repositories": [
      "#Repository"
    ],
    "nextPage": "n",
    "localization": "#Localization"
  },
  "Repository": {
    "id": "s",
    "name": "s",
    "fullName": "s",
    "owner": "s",
    "defaultBranch": "s",
    "webUrl": "s",
    "private": "b",
    "provider": "s"
  },
  "IntegrationListing": {
    "integrations": [
      "#Integration"
    ],
    "localization": "#Localization"
  },
  "Integration": {
    "category": "s",
    "provider": "s"
  },
  "SyncResponse": {
    "sync": "o",
    "localization": "#Localization"
  },
  "PreviewReportingResponse": {
    "attempted": "n",
    "failed": "n",
    "succeeded": "n",
    "localization": "#Localization"
  }
};
