#include "auth/rbac/default_roles.h"

namespace strake::auth {

// The roles and bindings that kube-apiserver 1.36.4 makes at its start. An object begins at the
// margin: its kind, its name (with its namespace), and what it adds to, sums up or binds. Lines
// below it are rules (verbs, groups, resources, names; or verbs, `url`, URLs) or subjects. `core`
// is the group without a name; READ, WRITE and ALL are the usual verbs.
std::string_view default_roles_table() {
  return R"(
ClusterRole admin sum-of:admin
ClusterRole cluster-admin
  * * *
  * url *
ClusterRole edit adds-to:admin sum-of:edit
ClusterRole system:aggregate-to-admin adds-to:admin
  create authorization.k8s.io localsubjectaccessreviews
  ALL rbac.authorization.k8s.io rolebindings,roles
ClusterRole system:aggregate-to-edit adds-to:edit
  READ core pods/attach,pods/exec,pods/portforward,pods/proxy,secrets,services/proxy
  impersonate core serviceaccounts
  WRITE core pods,pods/attach,pods/exec,pods/portforward,pods/proxy
  create core pods/eviction
  WRITE core configmaps,persistentvolumeclaims,replicationcontrollers,replicationcontrollers/scale,secrets,serviceaccounts,services,services/proxy
  create core serviceaccounts/token
  WRITE core,events.k8s.io events
  WRITE apps daemonsets,deployments,deployments/rollback,deployments/scale,replicasets,replicasets/scale,statefulsets,statefulsets/scale
  WRITE autoscaling horizontalpodautoscalers
  WRITE batch cronjobs,jobs
  WRITE extensions daemonsets,deployments,deployments/rollback,deployments/scale,ingresses,networkpolicies,replicasets,replicasets/scale,replicationcontrollers/scale
  WRITE policy poddisruptionbudgets
  WRITE networking.k8s.io ingresses,networkpolicies
  ALL coordination.k8s.io leases
  WRITE resource.k8s.io resourceclaims,resourceclaimtemplates
ClusterRole system:aggregate-to-view adds-to:view
  READ core configmaps,endpoints,persistentvolumeclaims,persistentvolumeclaims/status,pods,replicationcontrollers,replicationcontrollers/scale,serviceaccounts,services,services/status
  READ core bindings,limitranges,namespaces/status,pods/log,pods/status,replicationcontrollers/status,resourcequotas,resourcequotas/status
  READ core namespaces
  READ core,events.k8s.io events
  READ discovery.k8s.io endpointslices
  READ apps controllerrevisions,daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,replicasets,replicasets/scale,replicasets/status,statefulsets,statefulsets/scale,statefulsets/status
  READ autoscaling horizontalpodautoscalers,horizontalpodautoscalers/status
  READ batch cronjobs,cronjobs/status,jobs,jobs/status
  READ extensions daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,ingresses,ingresses/status,networkpolicies,replicasets,replicasets/scale,replicasets/status,replicationcontrollers/scale
  READ policy poddisruptionbudgets,poddisruptionbudgets/status
  READ networking.k8s.io ingresses,ingresses/status,networkpolicies
  READ resource.k8s.io resourceclaims,resourceclaims/status,resourceclaimtemplates
ClusterRole system:auth-delegator
  create authentication.k8s.io tokenreviews
  create authorization.k8s.io subjectaccessreviews
ClusterRole system:basic-user
  create authorization.k8s.io selfsubjectaccessreviews,selfsubjectrulesreviews
  create authentication.k8s.io selfsubjectreviews
ClusterRole system:certificates.k8s.io:certificatesigningrequests:nodeclient
  create certificates.k8s.io certificatesigningrequests/nodeclient
ClusterRole system:certificates.k8s.io:certificatesigningrequests:selfnodeclient
  create certificates.k8s.io certificatesigningrequests/selfnodeclient
ClusterRole system:certificates.k8s.io:kube-apiserver-client-approver
  approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client
ClusterRole system:certificates.k8s.io:kube-apiserver-client-kubelet-approver
  approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client-kubelet
ClusterRole system:certificates.k8s.io:kubelet-serving-approver
  approve certificates.k8s.io signers kubernetes.io/kubelet-serving
ClusterRole system:certificates.k8s.io:legacy-unknown-approver
  approve certificates.k8s.io signers kubernetes.io/legacy-unknown
ClusterRole system:controller:attachdetach-controller
  list,watch core persistentvolumeclaims,persistentvolumes
  READ core nodes
  patch,update core nodes/status
  list,watch core pods
  create,patch,update core,events.k8s.io events
  create,delete,READ storage.k8s.io volumeattachments
  READ storage.k8s.io csidrivers
  READ storage.k8s.io csinodes
ClusterRole system:controller:certificate-controller
  delete,READ certificates.k8s.io certificatesigningrequests
  update certificates.k8s.io certificatesigningrequests/approval,certificatesigningrequests/status
  approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client-kubelet
  sign certificates.k8s.io signers kubernetes.io/kube-apiserver-client,kubernetes.io/kube-apiserver-client-kubelet,kubernetes.io/kubelet-serving,kubernetes.io/legacy-unknown
  create authorization.k8s.io subjectaccessreviews
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:clusterrole-aggregation-controller
  escalate,get,list,patch,update,watch rbac.authorization.k8s.io clusterroles
ClusterRole system:controller:cronjob-controller
  get,list,update,watch batch cronjobs
  create,delete,get,list,patch,update,watch batch jobs
  update batch cronjobs/status
  update batch cronjobs/finalizers
  delete,list,watch core pods
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:daemon-set-controller
  READ apps,extensions daemonsets
  update apps,extensions daemonsets/status
  update apps,extensions daemonsets/finalizers
  list,watch core nodes
  create,delete,list,patch,watch core pods
  create core pods/binding
  create,delete,get,list,patch,update,watch apps controllerrevisions
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:deployment-controller
  get,list,update,watch apps,extensions deployments
  update apps,extensions deployments/status
  update apps,extensions deployments/finalizers
  create,delete,get,list,patch,update,watch apps,extensions replicasets
  get,list,update,watch core pods
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:device-taint-eviction-controller
  delete,READ core pods
  patch,update core pods/status
  READ resource.k8s.io resourceclaims
  READ resource.k8s.io resourceslices
  READ resource.k8s.io deviceclasses
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:disruption-controller
  READ apps,extensions deployments
  READ apps,extensions replicasets
  READ core replicationcontrollers
  READ policy poddisruptionbudgets
  READ apps statefulsets
  update policy poddisruptionbudgets/status
  patch,update core pods/status
  get * */scale
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:endpoint-controller
  READ core pods,services
  create,delete,get,list,update,watch core endpoints
  create core endpoints/restricted
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:endpointslice-controller
  READ core nodes,pods,services
  update core services/finalizers
  create,delete,get,list,update,watch discovery.k8s.io endpointslices
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:endpointslicemirroring-controller
  READ core endpoints,services
  update core services/finalizers
  update core endpoints/finalizers
  create,delete,get,list,update,watch discovery.k8s.io endpointslices
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:ephemeral-volume-controller
  READ core pods
  update core pods/finalizers
  create,READ core persistentvolumeclaims
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:expand-controller
  get,list,patch,update,watch core persistentvolumes
  patch,update core persistentvolumeclaims/status
  READ core persistentvolumeclaims
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:generic-garbage-collector
  delete,get,list,patch,update,watch * *
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:horizontal-pod-autoscaler
  READ autoscaling horizontalpodautoscalers
  update autoscaling horizontalpodautoscalers/status
  get,update * */scale
  list,watch core pods
  list,watch metrics.k8s.io pods
  READ custom.metrics.k8s.io *
  READ external.metrics.k8s.io *
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:job-controller
  get,list,patch,update,watch batch jobs
  update batch jobs/status
  update batch jobs/finalizers
  create,delete,list,patch,watch core pods
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:legacy-service-account-token-cleaner
  get core configmaps kube-apiserver-legacy-service-account-token-tracking
  delete,patch core secrets
ClusterRole system:controller:namespace-controller
  delete,READ core namespaces
  update core namespaces/finalize,namespaces/status
  delete,deletecollection,READ * *
ClusterRole system:controller:node-controller
  delete,get,list,patch,update,watch core nodes
  patch,update core nodes/status
  patch,update core pods/status
  delete,READ core pods
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:persistent-volume-binder
  create,delete,get,list,update,watch core persistentvolumes
  update core persistentvolumes/status
  get,list,update,watch core persistentvolumeclaims
  update core persistentvolumeclaims/status
  create,delete,READ core pods
  READ storage.k8s.io storageclasses
  list,watch core nodes
  create,patch,update core,events.k8s.io events
  watch core events
ClusterRole system:controller:pod-garbage-collector
  delete,list,watch core pods
  READ core nodes
  patch core pods/status
ClusterRole system:controller:pv-protection-controller
  get,list,update,watch core persistentvolumes
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:pvc-protection-controller
  get,list,update,watch core persistentvolumeclaims
  update core persistentvolumeclaims/status
  READ core pods
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:replicaset-controller
  get,list,update,watch apps,extensions replicasets
  update apps,extensions replicasets/status
  update apps,extensions replicasets/finalizers
  create,delete,list,patch,watch core pods
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:replication-controller
  get,list,update,watch core replicationcontrollers
  update core replicationcontrollers/status
  update core replicationcontrollers/finalizers
  create,delete,list,patch,watch core pods
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:resource-claim-controller
  READ core pods
  update core pods/finalizers
  create,delete,READ resource.k8s.io resourceclaims
  patch,update resource.k8s.io resourceclaims,resourceclaims/status
  patch,update core pods/status
  create,patch,update core,events.k8s.io events
  patch,update resource.k8s.io resourceclaims/binding
ClusterRole system:controller:resourcequota-controller
  list,watch * *
  update core resourcequotas/status
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:root-ca-cert-publisher
  create,update core configmaps
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:route-controller
  list,watch core nodes
  patch core nodes/status
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:selinux-warning-controller
  create,patch,update core,events.k8s.io events
  READ core persistentvolumes
  READ core persistentvolumeclaims
  READ core pods
  READ storage.k8s.io csidrivers
ClusterRole system:controller:service-account-controller
  create core serviceaccounts
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:service-cidrs-controller
  get,list,patch,update,watch networking.k8s.io servicecidrs
  patch,update networking.k8s.io servicecidrs/finalizers
  patch,update networking.k8s.io servicecidrs/status
  READ networking.k8s.io ipaddresses
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:service-controller
  READ core services
  patch,update core services/status
  list,watch core nodes
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:statefulset-controller
  list,watch core pods
  READ apps statefulsets
  update apps statefulsets/status
  update apps statefulsets/finalizers
  create,delete,get,patch,update core pods
  create,delete,get,list,patch,update,watch apps controllerrevisions
  create,READ core persistentvolumeclaims
  delete,update core persistentvolumeclaims
  update core pods/finalizers
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:ttl-after-finished-controller
  delete,READ batch jobs
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:ttl-controller
  list,patch,update,watch core nodes
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:validatingadmissionpolicy-status-controller
  READ admissionregistration.k8s.io validatingadmissionpolicies
  get,patch,update admissionregistration.k8s.io validatingadmissionpolicies/status
  create,patch,update core,events.k8s.io events
ClusterRole system:controller:volumeattributesclass-protection-controller
  READ core persistentvolumeclaims
  READ core persistentvolumes
  get,list,update,watch storage.k8s.io volumeattributesclasses
  create,patch,update core,events.k8s.io events
ClusterRole system:discovery
  get url /api,/api/*,/apis,/apis/*,/healthz,/livez,/openapi,/openapi/*,/readyz,/version,/version/
ClusterRole system:heapster
  READ core events,namespaces,nodes,pods
  READ extensions deployments
ClusterRole system:kube-aggregator
  READ core endpoints,services
ClusterRole system:kube-controller-manager
  create,patch,update core,events.k8s.io events
  create coordination.k8s.io leases
  get,update coordination.k8s.io leases kube-controller-manager
  create core secrets,serviceaccounts
  delete core secrets
  get core configmaps,namespaces,secrets,serviceaccounts
  update core secrets,serviceaccounts
  create authentication.k8s.io tokenreviews
  create authorization.k8s.io subjectaccessreviews
  list,watch * *
  create core serviceaccounts/token
ClusterRole system:kube-dns
  list,watch core endpoints,services
ClusterRole system:kube-scheduler
  create,patch,update core,events.k8s.io events
  create coordination.k8s.io leases
  get,list,update,watch coordination.k8s.io leases kube-scheduler
  ALL coordination.k8s.io leasecandidates
  READ core nodes
  delete,READ core pods
  create core bindings,pods/binding
  patch,update core pods/status
  READ core replicationcontrollers,services
  READ apps,extensions replicasets
  READ apps statefulsets
  READ policy poddisruptionbudgets
  READ core persistentvolumeclaims,persistentvolumes
  create authentication.k8s.io tokenreviews
  create authorization.k8s.io subjectaccessreviews
  READ storage.k8s.io csinodes
  READ storage.k8s.io volumeattachments
  READ core namespaces
  READ storage.k8s.io csidrivers
  READ storage.k8s.io csistoragecapacities
  READ resource.k8s.io deviceclasses
  get,list,patch,update,watch resource.k8s.io resourceclaims
  get,list,patch,update,watch resource.k8s.io resourceclaims/status
  update core pods/finalizers
  READ resource.k8s.io resourceslices
  create,delete resource.k8s.io resourceclaims
  patch,update resource.k8s.io resourceclaims/binding
ClusterRole system:kubelet-api-admin
  READ core nodes
  proxy core nodes
  * core nodes/log,nodes/metrics,nodes/proxy,nodes/stats
  * core nodes/configz,nodes/healthz,nodes/pods
ClusterRole system:monitoring
  get url /flagz,/healthz,/healthz/*,/livez,/livez/*,/metrics,/metrics/slis,/readyz,/readyz/*,/statusz
  get core nodes/metrics
ClusterRole system:node
  create authentication.k8s.io tokenreviews
  create authorization.k8s.io localsubjectaccessreviews,subjectaccessreviews
  READ core services
  create,READ core nodes
  patch,update core nodes/status
  patch,update core nodes
  create,patch,update core,events.k8s.io events
  READ core pods
  create,delete core pods
  patch,update core pods/status
  create core pods/eviction
  READ core configmaps,secrets
  get core persistentvolumeclaims,persistentvolumes
  get core endpoints
  create,READ certificates.k8s.io certificatesigningrequests
  create,delete,get,patch,update coordination.k8s.io leases
  get storage.k8s.io volumeattachments
  create core serviceaccounts/token
  get,patch,update core persistentvolumeclaims/status
  READ storage.k8s.io csidrivers
  create,delete,get,patch,update storage.k8s.io csinodes
  READ node.k8s.io runtimeclasses
  get resource.k8s.io resourceclaims
  deletecollection resource.k8s.io resourceslices
  get core serviceaccounts
ClusterRole system:node-bootstrapper
  create,READ certificates.k8s.io certificatesigningrequests
ClusterRole system:node-problem-detector
  get core nodes
  patch core nodes/status
  create,patch,update core,events.k8s.io events
ClusterRole system:node-proxier
  list,watch core endpoints,services
  READ core nodes
  create,patch,update core,events.k8s.io events
  list,watch networking.k8s.io servicecidrs
  list,watch discovery.k8s.io endpointslices
ClusterRole system:persistent-volume-provisioner
  create,delete,READ core persistentvolumes
  get,list,update,watch core persistentvolumeclaims
  READ storage.k8s.io storageclasses
  watch core events
  create,patch,update core,events.k8s.io events
ClusterRole system:public-info-viewer
  get url /healthz,/livez,/readyz,/version,/version/
ClusterRole system:service-account-issuer-discovery
  get url /.well-known/openid-configuration,/.well-known/openid-configuration/,/openid/v1/jwks,/openid/v1/jwks/
ClusterRole system:volume-scheduler
  get,list,patch,update,watch core persistentvolumes
  READ storage.k8s.io storageclasses
  get,list,patch,update,watch core persistentvolumeclaims
ClusterRole view adds-to:edit sum-of:view
Role kube-public/system:controller:bootstrap-signer
  READ core configmaps
  update core configmaps cluster-info
  create,patch,update core,events.k8s.io events
Role kube-system/extension-apiserver-authentication-reader
  READ core configmaps extension-apiserver-authentication
Role kube-system/system::leader-locking-kube-controller-manager
  create,get,list,update,watch coordination.k8s.io leases
  create,get,list,update,watch coordination.k8s.io leasecandidates
Role kube-system/system::leader-locking-kube-scheduler
  create,get,list,update,watch coordination.k8s.io leases
  create,get,list,update,watch coordination.k8s.io leasecandidates
Role kube-system/system:controller:bootstrap-signer
  READ core secrets
Role kube-system/system:controller:cloud-provider
  create,READ core configmaps
Role kube-system/system:controller:token-cleaner
  delete,READ core secrets
  create,patch,update core,events.k8s.io events
ClusterRoleBinding cluster-admin to:ClusterRole/cluster-admin
  Group system:masters
ClusterRoleBinding system:basic-user to:ClusterRole/system:basic-user
  Group system:authenticated
ClusterRoleBinding system:controller:attachdetach-controller to:ClusterRole/system:controller:attachdetach-controller
  ServiceAccount kube-system/attachdetach-controller
ClusterRoleBinding system:controller:certificate-controller to:ClusterRole/system:controller:certificate-controller
  ServiceAccount kube-system/certificate-controller
ClusterRoleBinding system:controller:clusterrole-aggregation-controller to:ClusterRole/system:controller:clusterrole-aggregation-controller
  ServiceAccount kube-system/clusterrole-aggregation-controller
ClusterRoleBinding system:controller:cronjob-controller to:ClusterRole/system:controller:cronjob-controller
  ServiceAccount kube-system/cronjob-controller
ClusterRoleBinding system:controller:daemon-set-controller to:ClusterRole/system:controller:daemon-set-controller
  ServiceAccount kube-system/daemon-set-controller
ClusterRoleBinding system:controller:deployment-controller to:ClusterRole/system:controller:deployment-controller
  ServiceAccount kube-system/deployment-controller
ClusterRoleBinding system:controller:device-taint-eviction-controller to:ClusterRole/system:controller:device-taint-eviction-controller
  ServiceAccount kube-system/device-taint-eviction-controller
ClusterRoleBinding system:controller:disruption-controller to:ClusterRole/system:controller:disruption-controller
  ServiceAccount kube-system/disruption-controller
ClusterRoleBinding system:controller:endpoint-controller to:ClusterRole/system:controller:endpoint-controller
  ServiceAccount kube-system/endpoint-controller
ClusterRoleBinding system:controller:endpointslice-controller to:ClusterRole/system:controller:endpointslice-controller
  ServiceAccount kube-system/endpointslice-controller
ClusterRoleBinding system:controller:endpointslicemirroring-controller to:ClusterRole/system:controller:endpointslicemirroring-controller
  ServiceAccount kube-system/endpointslicemirroring-controller
ClusterRoleBinding system:controller:ephemeral-volume-controller to:ClusterRole/system:controller:ephemeral-volume-controller
  ServiceAccount kube-system/ephemeral-volume-controller
ClusterRoleBinding system:controller:expand-controller to:ClusterRole/system:controller:expand-controller
  ServiceAccount kube-system/expand-controller
ClusterRoleBinding system:controller:generic-garbage-collector to:ClusterRole/system:controller:generic-garbage-collector
  ServiceAccount kube-system/generic-garbage-collector
ClusterRoleBinding system:controller:horizontal-pod-autoscaler to:ClusterRole/system:controller:horizontal-pod-autoscaler
  ServiceAccount kube-system/horizontal-pod-autoscaler
ClusterRoleBinding system:controller:job-controller to:ClusterRole/system:controller:job-controller
  ServiceAccount kube-system/job-controller
ClusterRoleBinding system:controller:legacy-service-account-token-cleaner to:ClusterRole/system:controller:legacy-service-account-token-cleaner
  ServiceAccount kube-system/legacy-service-account-token-cleaner
ClusterRoleBinding system:controller:namespace-controller to:ClusterRole/system:controller:namespace-controller
  ServiceAccount kube-system/namespace-controller
ClusterRoleBinding system:controller:node-controller to:ClusterRole/system:controller:node-controller
  ServiceAccount kube-system/node-controller
ClusterRoleBinding system:controller:persistent-volume-binder to:ClusterRole/system:controller:persistent-volume-binder
  ServiceAccount kube-system/persistent-volume-binder
ClusterRoleBinding system:controller:pod-garbage-collector to:ClusterRole/system:controller:pod-garbage-collector
  ServiceAccount kube-system/pod-garbage-collector
ClusterRoleBinding system:controller:pv-protection-controller to:ClusterRole/system:controller:pv-protection-controller
  ServiceAccount kube-system/pv-protection-controller
ClusterRoleBinding system:controller:pvc-protection-controller to:ClusterRole/system:controller:pvc-protection-controller
  ServiceAccount kube-system/pvc-protection-controller
ClusterRoleBinding system:controller:replicaset-controller to:ClusterRole/system:controller:replicaset-controller
  ServiceAccount kube-system/replicaset-controller
ClusterRoleBinding system:controller:replication-controller to:ClusterRole/system:controller:replication-controller
  ServiceAccount kube-system/replication-controller
ClusterRoleBinding system:controller:resource-claim-controller to:ClusterRole/system:controller:resource-claim-controller
  ServiceAccount kube-system/resource-claim-controller
ClusterRoleBinding system:controller:resourcequota-controller to:ClusterRole/system:controller:resourcequota-controller
  ServiceAccount kube-system/resourcequota-controller
ClusterRoleBinding system:controller:root-ca-cert-publisher to:ClusterRole/system:controller:root-ca-cert-publisher
  ServiceAccount kube-system/root-ca-cert-publisher
ClusterRoleBinding system:controller:route-controller to:ClusterRole/system:controller:route-controller
  ServiceAccount kube-system/route-controller
ClusterRoleBinding system:controller:selinux-warning-controller to:ClusterRole/system:controller:selinux-warning-controller
  ServiceAccount kube-system/selinux-warning-controller
ClusterRoleBinding system:controller:service-account-controller to:ClusterRole/system:controller:service-account-controller
  ServiceAccount kube-system/service-account-controller
ClusterRoleBinding system:controller:service-cidrs-controller to:ClusterRole/system:controller:service-cidrs-controller
  ServiceAccount kube-system/service-cidrs-controller
ClusterRoleBinding system:controller:service-controller to:ClusterRole/system:controller:service-controller
  ServiceAccount kube-system/service-controller
ClusterRoleBinding system:controller:statefulset-controller to:ClusterRole/system:controller:statefulset-controller
  ServiceAccount kube-system/statefulset-controller
ClusterRoleBinding system:controller:ttl-after-finished-controller to:ClusterRole/system:controller:ttl-after-finished-controller
  ServiceAccount kube-system/ttl-after-finished-controller
ClusterRoleBinding system:controller:ttl-controller to:ClusterRole/system:controller:ttl-controller
  ServiceAccount kube-system/ttl-controller
ClusterRoleBinding system:controller:validatingadmissionpolicy-status-controller to:ClusterRole/system:controller:validatingadmissionpolicy-status-controller
  ServiceAccount kube-system/validatingadmissionpolicy-status-controller
ClusterRoleBinding system:controller:volumeattributesclass-protection-controller to:ClusterRole/system:controller:volumeattributesclass-protection-controller
  ServiceAccount kube-system/volumeattributesclass-protection-controller
ClusterRoleBinding system:discovery to:ClusterRole/system:discovery
  Group system:authenticated
ClusterRoleBinding system:kube-controller-manager to:ClusterRole/system:kube-controller-manager
  User system:kube-controller-manager
ClusterRoleBinding system:kube-dns to:ClusterRole/system:kube-dns
  ServiceAccount kube-system/kube-dns
ClusterRoleBinding system:kube-scheduler to:ClusterRole/system:kube-scheduler
  User system:kube-scheduler
ClusterRoleBinding system:monitoring to:ClusterRole/system:monitoring
  Group system:monitoring
ClusterRoleBinding system:node to:ClusterRole/system:node
ClusterRoleBinding system:node-proxier to:ClusterRole/system:node-proxier
  User system:kube-proxy
ClusterRoleBinding system:public-info-viewer to:ClusterRole/system:public-info-viewer
  Group system:authenticated
  Group system:unauthenticated
ClusterRoleBinding system:service-account-issuer-discovery to:ClusterRole/system:service-account-issuer-discovery
  Group system:serviceaccounts
ClusterRoleBinding system:volume-scheduler to:ClusterRole/system:volume-scheduler
  User system:kube-scheduler
RoleBinding kube-public/system:controller:bootstrap-signer to:Role/system:controller:bootstrap-signer
  ServiceAccount kube-system/bootstrap-signer
RoleBinding kube-system/system::extension-apiserver-authentication-reader to:Role/extension-apiserver-authentication-reader
  User system:kube-controller-manager
  User system:kube-scheduler
RoleBinding kube-system/system::leader-locking-kube-controller-manager to:Role/system::leader-locking-kube-controller-manager
  User system:kube-controller-manager
  ServiceAccount kube-system/kube-controller-manager
  ServiceAccount kube-system/leader-election-controller
RoleBinding kube-system/system::leader-locking-kube-scheduler to:Role/system::leader-locking-kube-scheduler
  User system:kube-scheduler
  ServiceAccount kube-system/kube-scheduler
RoleBinding kube-system/system:controller:bootstrap-signer to:Role/system:controller:bootstrap-signer
  ServiceAccount kube-system/bootstrap-signer
RoleBinding kube-system/system:controller:cloud-provider to:Role/system:controller:cloud-provider
  ServiceAccount kube-system/cloud-provider
RoleBinding kube-system/system:controller:token-cleaner to:Role/system:controller:token-cleaner
  ServiceAccount kube-system/token-cleaner
)";
}

}  // namespace strake::auth
