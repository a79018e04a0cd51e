// Generated from src/api/openapi.json by `npm run generate`. Do not edit.
export interface paths {
    "/logs/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search logs
         * @description Answers one bounded page of what the key may see; restricted records are taken out by the server.
         */
        post: operations["post_logs_query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logs/tail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Follow logs
         * @description Streams log pages as events named `records`; access is checked again between pages, and the server ends the stream after five minutes. The cursor of the last page resumes it.
         */
        post: operations["post_logs_tail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{serverId}/actions/cleanup-orphans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Clean up orphans
         * @description Accepts the request and goes on by itself; the operation that is answered can be polled.
         */
        post: operations["post_servers_cleanup_orphans"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{serverId}/monitor-alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List alert rules */
        get: operations["get_servers_monitor_alerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/{sourceId}/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the resources of a source */
        get: operations["get_sources_resources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/{ownerId}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the secret keys of a source */
        get: operations["get_sources_secrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/codehost-b/repositories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List repositories */
        get: operations["get_repositories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resources/{resourceId}/deployments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the deployments of a resource */
        get: operations["get_resources_deployments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/{sourceId}/environments/{environmentId}/syncs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sync an environment */
        post: operations["post_sources_environments_syncs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/codehost-a/actions/retry-preview-reporting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retry failed preview reporting */
        post: operations["post_retry_preview_reporting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List integrations */
        get: operations["get_integrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/{operationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Poll an operation */
        get: operations["get_operation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description The canonical form with version 1 to 8 and variant 8, 9, a or b in either case, or all zeros, or all f.
         * @example 0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01
         */
        Uuid: string;
        /**
         * @description A real date and time in UTC with the suffix Z; fractions of a second may follow.
         * @example 2026-11-20T12:00:00Z
         */
        UtcDateTime: string;
        /** @description An opaque position, good only together with the filters it was issued for. */
        Cursor: string;
        TimestampRendering: {
            date: string;
            time: string | null;
            dateTime: string | null;
            timeZone: string;
            zoneLabel: string;
            epochMilliseconds: number;
            inputDateTime: string | null;
        };
        /** @enum {string} */
        DateFormat: "day-short-month-year" | "short-month-day-year" | "year-month-day" | "day-month-year" | "month-day-year";
        /** @enum {string} */
        TimeFormat: "24-hour" | "12-hour" | "24-hour-seconds" | "12-hour-seconds";
        /** @description How the workspace writes dates and times; on the log query every member is there and no other. */
        LogLocalization: {
            dateFormat: components["schemas"]["DateFormat"];
            timeFormat: components["schemas"]["TimeFormat"];
            /** @description The name of a time zone. */
            timeZone: string;
            timestamps: {
                [key: string]: components["schemas"]["TimestampRendering"];
            };
        };
        /** @description How the workspace writes dates and times. */
        Localization: {
            /** @description A `DateFormat`. */
            dateFormat?: string | null;
            /** @description A `TimeFormat`. */
            timeFormat?: string | null;
            /** @description The name of a time zone. */
            timeZone?: string | null;
            timestamps?: {
                [key: string]: unknown;
            } | null;
        };
        /** @enum {string} */
        Severity: "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "unknown";
        /** @enum {string} */
        LogEnvironment: "production" | "preview";
        /** @enum {string} */
        LogStream: "stdout" | "stderr";
        /** @description One line or entry of a container, with everything that is known of it. Every field is always there. `body` and `attributes` are untrusted. */
        LogRecord: {
            eventId: string;
            timestamp: string;
            ingestedAt: string;
            serverId: string;
            workloadId: string;
            workloadName: string;
            deploymentId: string | null;
            previewId: string | null;
            /** @description A `LogEnvironment`, or another. */
            environment: string;
            containerId: string;
            service: string;
            severity: components["schemas"]["Severity"];
            /** @description A `LogStream`, or another. */
            stream: string;
            body: string;
            attributes: {
                [key: string]: string;
            };
            traceId: string | null;
            spanId: string | null;
            truncated: boolean;
        };
        /** @description A bounded run of log records and the cursors that go on from it. Every field is always there. The stream sends it without localization. */
        LogPage: {
            accessRevision: string;
            followCursor: string;
            records: components["schemas"]["LogRecord"][];
            /** @description The opaque cursor of the next page. */
            nextCursor: string | null;
            hasMore: boolean;
            partial: boolean;
            snapshotAt: string;
        };
        LogQueryResponse: components["schemas"]["LogPage"] & {
            localization: components["schemas"]["LogLocalization"];
        };
        /** @description A field of a record, or `attribute:` and a name of 1 to 128 characters. */
        ConditionField: string;
        /** @enum {string} */
        ConditionOperator: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "exists" | "not_exists";
        Condition: {
            field: components["schemas"]["ConditionField"];
            operator: components["schemas"]["ConditionOperator"];
            value: string;
        };
        ConditionGroup: {
            /** @enum {string} */
            match: "and" | "or";
            conditions: components["schemas"]["Condition"][];
        };
        AttributeFilter: {
            key: string;
            value: string;
            /**
             * @description `equals` where it is left out.
             * @enum {string}
             */
            operator?: "equals" | "contains";
        };
        LogQueryFilters: {
            from: components["schemas"]["UtcDateTime"];
            to: components["schemas"]["UtcDateTime"];
            /** @description Any where it is left out or empty. */
            workloadIds?: components["schemas"]["Uuid"][];
            /** @description Any where it is left out or empty. */
            serverIds?: components["schemas"]["Uuid"][];
            /** @description Any where it is left out or empty. */
            deploymentIds?: components["schemas"]["Uuid"][];
            /** @description Any where it is left out or empty. */
            previewIds?: components["schemas"]["Uuid"][];
            containerIds?: string[];
            environments?: components["schemas"]["LogEnvironment"][];
            services?: string[];
            severities?: components["schemas"]["Severity"][];
            /** @description Free text; nothing is asked for where it is left out or empty. */
            search?: string;
            traceId?: string;
            attributes?: components["schemas"]["AttributeFilter"][];
            stream?: components["schemas"]["LogStream"];
            conditionGroup?: components["schemas"]["ConditionGroup"];
        };
        LogQueryRequest: {
            filters: components["schemas"]["LogQueryFilters"];
            /** @description 50 where it is left out. */
            limit?: number;
            cursor?: components["schemas"]["Cursor"];
            /**
             * @description `older` where it is left out.
             * @enum {string}
             */
            direction?: "older" | "newer";
        };
        /** @description The filters of the query without `stream` and `conditionGroup`, which the stream does not take. */
        LogTailFilters: {
            from: components["schemas"]["UtcDateTime"];
            to: components["schemas"]["UtcDateTime"];
            /** @description Any where it is left out or empty. */
            workloadIds?: components["schemas"]["Uuid"][];
            /** @description Any where it is left out or empty. */
            serverIds?: components["schemas"]["Uuid"][];
            /** @description Any where it is left out or empty. */
            deploymentIds?: components["schemas"]["Uuid"][];
            /** @description Any where it is left out or empty. */
            previewIds?: components["schemas"]["Uuid"][];
            containerIds?: string[];
            environments?: components["schemas"]["LogEnvironment"][];
            services?: string[];
            severities?: components["schemas"]["Severity"][];
            /** @description Free text; nothing is asked for where it is left out or empty. */
            search?: string;
            traceId?: string;
            attributes?: components["schemas"]["AttributeFilter"][];
        };
        LogTailRequest: {
            filters: components["schemas"]["LogTailFilters"];
            cursor?: components["schemas"]["Cursor"];
        };
        ErrorResponse: {
            error: {
                code: string;
                message: string;
                requestId: string;
            };
        };
        JobDefinition: {
            name?: string | null;
            command?: string[] | null;
            schedule?: {
                cron?: string | null;
                /** @example UTC */
                timezone?: string | null;
            } | null;
            timeoutSeconds?: number | null;
            enabled?: boolean | null;
            description?: string | null;
        };
        /** @description An asynchronous action and how far it is. */
        Operation: {
            id?: string | null;
            /**
             * @description An open set of values; `backup` is known.
             * @example backup
             */
            type?: string | null;
            /**
             * @description An open set of values; `running` is known.
             * @example running
             */
            state?: string | null;
            /**
             * @description An open set of values; `queued` is known.
             * @example queued
             */
            phase?: string | null;
            serverId?: string | null;
            sourceId?: string | null;
            resourceId?: string | null;
            requestedBy?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            createdAt?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            updatedAt?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            startedAt?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            finishedAt?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            deletedAt?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            cancelRequestedAt?: string | null;
            errorCode?: string | null;
            errorMessage?: string | null;
            request?: {
                /**
                 * @description An open set of values; `run_job` is known.
                 * @example run_job
                 */
                type?: string | null;
                release?: {
                    containerName?: string | null;
                    imageTag?: string | null;
                    releaseId?: string | null;
                } | null;
                job?: components["schemas"]["JobDefinition"] | null;
                scheduledAt?: string | null;
            } | null;
            result?: {
                jobName?: string | null;
                exitCode?: number | null;
                timedOut?: boolean | null;
                /** @description Untrusted text. */
                logs?: string | null;
                truncated?: boolean | null;
            } | null;
        };
        CleanupRequest: {
            items: {
                name: string;
            }[];
        };
        CleanupResponse: {
            operation?: components["schemas"]["Operation"] | null;
            replayed?: boolean | null;
            localization?: components["schemas"]["Localization"] | null;
        };
        OperationResponse: {
            operation?: components["schemas"]["Operation"] | null;
            localization?: components["schemas"]["Localization"] | null;
        };
        AlertCondition: {
            /**
             * @description An open set of values; `cpuPercent` is known.
             * @example cpuPercent
             */
            metric?: string | null;
            /**
             * @description An open set of values; `above` is known.
             * @example above
             */
            operator?: string | null;
            threshold?: number | null;
            windowSeconds?: number | null;
            /**
             * @description An open set of values; `average` is known.
             * @example average
             */
            aggregation?: string | null;
            http?: {
                url?: string | null;
                /**
                 * @description An open set of values; `GET` is known.
                 * @example GET
                 */
                method?: string | null;
                intervalSeconds?: number | null;
                timeoutSeconds?: number | null;
                expectedStatusMin?: number | null;
                expectedStatusMax?: number | null;
                maxRedirects?: number | null;
            } | null;
        };
        AlertRule: {
            id?: string | null;
            workspaceId?: string | null;
            serverId?: string | null;
            deployableId?: string | null;
            name?: string | null;
            enabled?: boolean | null;
            severity?: string | null;
            environment?: string | null;
            evaluationState?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            evaluatedAt?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            createdAt?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            updatedAt?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            deletedAt?: string | null;
            observedValue?: number | null;
            condition?: components["schemas"]["AlertCondition"] | null;
            httpCheck?: {
                rule_id?: string | null;
                /**
                 * Format: date-time
                 * @description ISO 8601 date-time in UTC.
                 */
                checked_at?: string | null;
                state?: string | null;
                status_code?: number | null;
                /** @description Milliseconds. */
                latency_ms?: number | null;
                reason?: string | null;
            } | null;
        };
        AlertWorkload: {
            id?: string | null;
            name?: string | null;
            sourceId?: string | null;
            /**
             * @description An open set of values; `app` is known.
             * @example app
             */
            kind?: string | null;
        };
        AlertDestination: {
            /** @description An open set; `health` is known. */
            categories?: string[] | null;
            enabled?: boolean | null;
            id?: string | null;
            /**
             * @description An open set of values; `chat-a` is known.
             * @example chat-a
             */
            provider?: string | null;
            /**
             * @description An open set of values; `environment` is known.
             * @example environment
             */
            source?: string | null;
        };
        AlertListing: {
            rules?: components["schemas"]["AlertRule"][] | null;
            workloads?: components["schemas"]["AlertWorkload"][] | null;
            destinations?: components["schemas"]["AlertDestination"][] | null;
            /** @description Which providers of destinations can be used. */
            providers?: {
                "chat-a"?: boolean | null;
                "chat-b"?: boolean | null;
                smtp?: boolean | null;
                "chat-c"?: boolean | null;
                webhook?: boolean | null;
            } | null;
            canManage?: boolean | null;
            localization?: components["schemas"]["Localization"] | null;
        };
        ResourceLimits: {
            cpus?: number | null;
            memory?: string | null;
        };
        LifecycleHook: {
            command?: string[] | null;
            timeoutSeconds?: number | null;
        };
        /** @description What the manifest of the source says of the resource. */
        ResourceConfig: {
            id?: string | null;
            name?: string | null;
            server?: string | null;
            sourceBranch?: string | null;
            context?: string | null;
            dockerfile?: string | null;
            description?: string | null;
            /**
             * @description An open set of values; `app` is known.
             * @example app
             */
            kind?: string | null;
            autoDeploy?: boolean | null;
            vulnerabilityScanning?: boolean | null;
            deploymentInputs?: string[] | null;
            /** @description An open set; `otlp` is known. */
            logDrains?: string[] | null;
            jobs?: components["schemas"]["JobDefinition"][] | null;
            container?: {
                port?: number | null;
                network?: string | null;
                networkAlias?: string | null;
                volumes?: ({
                    name?: string | null;
                    mountPath?: string | null;
                    /**
                     * @description An open set of values; `image` is known.
                     * @example image
                     */
                    initialData?: string | null;
                } | null)[] | null;
                resources?: components["schemas"]["ResourceLimits"] | null;
            } | null;
            health?: {
                path?: string | null;
                timeoutSeconds?: number | null;
            } | null;
            hooks?: {
                postDeploy?: components["schemas"]["LifecycleHook"] | null;
                preDeploy?: components["schemas"]["LifecycleHook"] | null;
            } | null;
            buildServer?: {
                ip?: string | null;
                allowRuntimeFallback?: boolean | null;
                /**
                 * @description An open set of values; `registry` is known.
                 * @example registry
                 */
                transfer?: string | null;
                registry?: string | null;
                /**
                 * @description An open set of values; `amd64` is known.
                 * @example amd64
                 */
                architecture?: string | null;
            } | null;
            deployment?: {
                /**
                 * @description An open set of values; `dockerfile` is known.
                 * @example dockerfile
                 */
                type?: string | null;
                context?: string | null;
                arguments?: {
                    [key: string]: unknown;
                } | null;
                resources?: components["schemas"]["ResourceLimits"] | null;
                dockerfile?: string | null;
                timeoutSeconds?: number | null;
                target?: string | null;
                /**
                 * @description An open set of values; `amd64` is known.
                 * @example amd64
                 */
                architecture?: string | null;
                cache?: {
                    enabled?: boolean | null;
                    scope?: string | null;
                } | null;
            } | null;
            domains?: {
                primary?: string | null;
                redirects?: ({
                    host?: string | null;
                    /** @example 301 */
                    status?: number | null;
                } | null)[] | null;
            } | null;
            preview?: {
                domain?: string | null;
                enabled?: boolean | null;
                ttlHours?: number | null;
            } | null;
            externalSecrets?: {
                [key: string]: unknown;
            } | null;
            ingress?: {
                /**
                 * @description An open set of values; `proxy` is known.
                 * @example proxy
                 */
                type?: string | null;
            } | null;
            rollout?: {
                /**
                 * @description An open set of values; `rolling` is known.
                 * @example rolling
                 */
                type?: string | null;
                replicas?: number | null;
                maxSurge?: number | null;
                maxUnavailable?: number | null;
                startupDeadlineSeconds?: number | null;
                minimumHealthySeconds?: number | null;
                failureThreshold?: number | null;
                drainSeconds?: number | null;
                terminationSeconds?: number | null;
            } | null;
            telemetry?: {
                integration?: string | null;
                /** @description An open set; `metrics` is known. */
                signals?: string[] | null;
                /**
                 * @description An open set of values; `otlp-http` is known.
                 * @example otlp-http
                 */
                protocol?: string | null;
                sampling?: number | null;
                cardinalityLimit?: number | null;
                redactAttributes?: string[] | null;
            } | null;
            tls?: {
                /**
                 * @description An open set of values; `direct` is known.
                 * @example direct
                 */
                mode?: string | null;
            } | null;
        };
        ResourceEnvironment: {
            id?: string | null;
            name?: string | null;
            branch?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            disconnectedAt?: string | null;
        };
        RuntimeState: {
            /**
             * @description An open set of values; `running` is known.
             * @example running
             */
            desiredState?: string | null;
            driftReasons?: string[] | null;
            /**
             * @description An open set of values; `unknown` is known.
             * @example unknown
             */
            driftStatus?: string | null;
            /**
             * @description An open set of values; `unknown` is known.
             * @example unknown
             */
            healthStatus?: string | null;
            /**
             * @description An open set of values; `unknown` is known.
             * @example unknown
             */
            ingressStatus?: string | null;
            /**
             * @description An open set of values; `unknown` is known.
             * @example unknown
             */
            observedState?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            checkedAt?: string | null;
            ingressContainerName?: string | null;
            ingressImage?: string | null;
            observedContainerName?: string | null;
            observedImage?: string | null;
            ingressRestartCount?: number | null;
        };
        /** @description An app or a job of a source. */
        Resource: {
            id?: string | null;
            name?: string | null;
            description?: string | null;
            entityId?: string | null;
            manifestId?: string | null;
            sourceId?: string | null;
            sourceRevision?: string | null;
            serverIp?: string | null;
            /**
             * @description An open set of values; `app` is known.
             * @example app
             */
            kind?: string | null;
            serverReady?: boolean | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            archivedAt?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            createdAt?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            updatedAt?: string | null;
            environment?: components["schemas"]["ResourceEnvironment"] | null;
            runtimeState?: components["schemas"]["RuntimeState"] | null;
            config?: components["schemas"]["ResourceConfig"] | null;
        };
        ResourceListing: {
            resources?: components["schemas"]["Resource"][] | null;
            localization?: components["schemas"]["Localization"] | null;
        };
        /** @description Which keys a stage of an environment has; never a value. */
        SecretBinding: {
            environment?: string | null;
            /**
             * @description An open set of values; `build` is known.
             * @example build
             */
            stage?: string | null;
            declared?: boolean | null;
            /** @description Names of keys. The API never sends a value. */
            keys?: string[] | null;
            revision?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            updatedAt?: string | null;
            pendingChanges?: boolean | null;
            missingKeys?: string[] | null;
            inheritedKeys?: string[] | null;
            inheritedOrigins?: {
                [key: string]: unknown;
            } | null;
            inheritedRevisions?: {
                global?: string | null;
                source?: string | null;
            } | null;
            availableReferences?: {
                globals?: string[] | null;
                source?: string[] | null;
            } | null;
            affectedDeployables?: ({
                id?: string | null;
                name?: string | null;
                /**
                 * @description An open set of values; `preview` is known.
                 * @example preview
                 */
                kind?: string | null;
            } | null)[] | null;
        };
        SecretListing: {
            environments?: string[] | null;
            bindings?: components["schemas"]["SecretBinding"][] | null;
            canManageSecrets?: boolean | null;
            localization?: components["schemas"]["Localization"] | null;
        };
        DeploymentTarget: {
            id?: string | null;
            name?: string | null;
            branch?: string | null;
            mappingRevision?: string | null;
        };
        Deployment: {
            id?: string | null;
            appId?: string | null;
            commitSha?: string | null;
            gitRef?: string | null;
            codehostDeploymentId?: string | null;
            hostname?: string | null;
            imageDigest?: string | null;
            imagePlatform?: string | null;
            manifestDigest?: string | null;
            sourceInputDigest?: string | null;
            serverId?: string | null;
            sourceId?: string | null;
            errorCode?: string | null;
            errorMessage?: string | null;
            /**
             * @description An open set of values; `app` is known.
             * @example app
             */
            deployableKind?: string | null;
            /**
             * @description An open set of values; `production` is known.
             * @example production
             */
            environment?: string | null;
            /**
             * @description An open set of values; `deploy` is known.
             * @example deploy
             */
            kind?: string | null;
            /**
             * @description An open set of values; `queued` is known.
             * @example queued
             */
            state?: string | null;
            /**
             * @description An open set of values; `rollback` is known.
             * @example rollback
             */
            trigger?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            createdAt?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            startedAt?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            finishedAt?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 date-time in UTC.
             */
            updatedAt?: string | null;
            targetEnvironment?: components["schemas"]["DeploymentTarget"] | null;
        };
        DeploymentListing: {
            deployments?: components["schemas"]["Deployment"][] | null;
            localization?: components["schemas"]["Localization"] | null;
        };
        Repository: {
            id?: string | null;
            name?: string | null;
            fullName?: string | null;
            owner?: string | null;
            defaultBranch?: string | null;
            webUrl?: string | null;
            private?: boolean | null;
            /**
             * @description An open set of values; `codehost-b` is known.
             * @example codehost-b
             */
            provider?: string | null;
        };
        RepositoryListing: {
            repositories?: components["schemas"]["Repository"][] | null;
            /** @description The number of the next page; absent or null after the last. */
            nextPage?: number | null;
            localization?: components["schemas"]["Localization"] | null;
        };
        Integration: {
            /**
             * @description An open set of values; `backup` is known.
             * @example backup
             */
            category?: string | null;
            /**
             * @description An open set of values; `codehost-a` is known.
             * @example codehost-a
             */
            provider?: string | null;
        };
        IntegrationListing: {
            integrations?: components["schemas"]["Integration"][] | null;
            localization?: components["schemas"]["Localization"] | null;
        };
        SyncResponse: {
            sync?: {
                [key: string]: unknown;
            } | null;
            localization?: components["schemas"]["Localization"] | null;
        };
        PreviewReportingResponse: {
            attempted?: number | null;
            failed?: number | null;
            succeeded?: number | null;
            localization?: components["schemas"]["Localization"] | null;
        };
        /**
         * @description What a key may be allowed to do; each operation names the one it needs in `x-permission`.
         * @enum {string}
         */
        Permission: "logs.read" | "server.remove" | "alert.read" | "repository.read" | "secret.list" | "repository.connect" | "resource.read" | "repository.sync" | "integration.manage";
    };
    responses: {
        /** @description The request was refused or failed. */
        Error: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Too many requests. */
        RateLimited: {
            headers: {
                /** @description Seconds to wait before the next try. */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    post_logs_query: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogQueryRequest"];
            };
        };
        responses: {
            /** @description A page of records. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogQueryResponse"];
                };
            };
            400: components["responses"]["Error"];
            401: components["responses"]["Error"];
            403: components["responses"]["Error"];
            404: components["responses"]["Error"];
            409: components["responses"]["Error"];
            413: components["responses"]["Error"];
            422: components["responses"]["Error"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Error"];
        };
    };
    post_logs_tail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogTailRequest"];
            };
        };
        responses: {
            400: components["responses"]["Error"];
            401: components["responses"]["Error"];
            403: components["responses"]["Error"];
            404: components["responses"]["Error"];
            409: components["responses"]["Error"];
            413: components["responses"]["Error"];
            422: components["responses"]["Error"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Error"];
            /** @description A stream of log pages. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    post_servers_cleanup_orphans: {
        parameters: {
            query?: never;
            header: {
                /** @description Names the intent, so that a repeated request is not carried out again. */
                "Idempotency-Key": string;
            };
            path: {
                /** @description The server to clean up. */
                serverId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CleanupRequest"];
            };
        };
        responses: {
            400: components["responses"]["Error"];
            401: components["responses"]["Error"];
            403: components["responses"]["Error"];
            404: components["responses"]["Error"];
            409: components["responses"]["Error"];
            413: components["responses"]["Error"];
            422: components["responses"]["Error"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Error"];
            /** @description The operation that was started. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CleanupResponse"];
                };
            };
        };
    };
    get_servers_monitor_alerts: {
        parameters: {
            query?: {
                /** @description Only the rules of one deployable. */
                deployableId?: components["schemas"]["Uuid"];
            };
            header?: never;
            path: {
                /** @description The server. */
                serverId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error"];
            401: components["responses"]["Error"];
            403: components["responses"]["Error"];
            404: components["responses"]["Error"];
            409: components["responses"]["Error"];
            413: components["responses"]["Error"];
            422: components["responses"]["Error"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Error"];
            /** @description The rules, and where alerts go. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertListing"];
                };
            };
        };
    };
    get_sources_resources: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The source. */
                sourceId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error"];
            401: components["responses"]["Error"];
            403: components["responses"]["Error"];
            404: components["responses"]["Error"];
            409: components["responses"]["Error"];
            413: components["responses"]["Error"];
            422: components["responses"]["Error"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Error"];
            /** @description The apps and jobs of the source. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceListing"];
                };
            };
        };
    };
    get_sources_secrets: {
        parameters: {
            query?: {
                /** @description Only one environment: its name, with `preview:` before it for that of previews. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description The source that owns the secrets. */
                ownerId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error"];
            401: components["responses"]["Error"];
            403: components["responses"]["Error"];
            404: components["responses"]["Error"];
            409: components["responses"]["Error"];
            413: components["responses"]["Error"];
            422: components["responses"]["Error"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Error"];
            /** @description Names of keys and their revisions. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretListing"];
                };
            };
        };
    };
    get_repositories: {
        parameters: {
            query?: {
                /** @description Only repositories that match this text. */
                search?: string;
                /** @description The number of the page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error"];
            401: components["responses"]["Error"];
            403: components["responses"]["Error"];
            404: components["responses"]["Error"];
            409: components["responses"]["Error"];
            413: components["responses"]["Error"];
            422: components["responses"]["Error"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Error"];
            /** @description A page of repositories. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepositoryListing"];
                };
            };
        };
    };
    get_resources_deployments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource. */
                resourceId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error"];
            401: components["responses"]["Error"];
            403: components["responses"]["Error"];
            404: components["responses"]["Error"];
            409: components["responses"]["Error"];
            413: components["responses"]["Error"];
            422: components["responses"]["Error"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Error"];
            /** @description The deployments of the resource. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentListing"];
                };
            };
        };
    };
    post_sources_environments_syncs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The source. */
                sourceId: components["schemas"]["Uuid"];
                /** @description The environment of the source. */
                environmentId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error"];
            401: components["responses"]["Error"];
            403: components["responses"]["Error"];
            404: components["responses"]["Error"];
            409: components["responses"]["Error"];
            413: components["responses"]["Error"];
            422: components["responses"]["Error"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Error"];
            /** @description What the sync started. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncResponse"];
                };
            };
        };
    };
    post_retry_preview_reporting: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error"];
            401: components["responses"]["Error"];
            403: components["responses"]["Error"];
            404: components["responses"]["Error"];
            409: components["responses"]["Error"];
            413: components["responses"]["Error"];
            422: components["responses"]["Error"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Error"];
            /** @description How many reports were tried, and how they went. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReportingResponse"];
                };
            };
        };
    };
    get_integrations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error"];
            401: components["responses"]["Error"];
            403: components["responses"]["Error"];
            404: components["responses"]["Error"];
            409: components["responses"]["Error"];
            413: components["responses"]["Error"];
            422: components["responses"]["Error"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Error"];
            /** @description What the environment of the deployment configures. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationListing"];
                };
            };
        };
    };
    get_operation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id that was answered when the operation started. */
                operationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["Error"];
            401: components["responses"]["Error"];
            403: components["responses"]["Error"];
            404: components["responses"]["Error"];
            409: components["responses"]["Error"];
            413: components["responses"]["Error"];
            422: components["responses"]["Error"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Error"];
            /** @description The operation as it stands, bare or as a member. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationResponse"] | components["schemas"]["Operation"];
                };
            };
        };
    };
}
