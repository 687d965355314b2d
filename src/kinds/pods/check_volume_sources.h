#pragma once
// Sources of volumes, one check each. `at` is the path of the source. Those of networks and disks
// have the same fields in persistent volumes, where a few ask for more.
#include <string_view>

#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

using VolumeSourceCheck = void (*)(const value::Value& source, const FieldPath& at,
                                   value::FieldErrors& errors);

void check_aws_disk_volume(const value::Value& source, const FieldPath& at,
                           value::FieldErrors& errors);
void check_azure_disk_volume(const value::Value& source, const FieldPath& at,
                             value::FieldErrors& errors);
void check_azure_file_volume(const value::Value& source, const FieldPath& at,
                             value::FieldErrors& errors);
void check_ceph_fs_volume(const value::Value& source, const FieldPath& at,
                          value::FieldErrors& errors);
void check_cinder_volume(const value::Value& source, const FieldPath& at,
                         value::FieldErrors& errors);
void check_fibre_channel_volume(const value::Value& source, const FieldPath& at,
                                value::FieldErrors& errors);
void check_flex_driver_volume(const value::Value& source, const FieldPath& at,
                              value::FieldErrors& errors);
void check_flocker_volume(const value::Value& source, const FieldPath& at,
                          value::FieldErrors& errors);
void check_gce_disk_volume(const value::Value& source, const FieldPath& at,
                           value::FieldErrors& errors);
void check_gluster_fs_volume(const value::Value& source, const FieldPath& at,
                             value::FieldErrors& errors);
void check_host_path_volume(const value::Value& source, const FieldPath& at,
                            value::FieldErrors& errors);
void check_iscsi_volume(const value::Value& source, const FieldPath& at,
                        value::FieldErrors& errors);
void check_nfs_volume(const value::Value& source, const FieldPath& at, value::FieldErrors& errors);
void check_photon_disk_volume(const value::Value& source, const FieldPath& at,
                              value::FieldErrors& errors);
void check_portworx_volume(const value::Value& source, const FieldPath& at,
                           value::FieldErrors& errors);
void check_quobyte_volume(const value::Value& source, const FieldPath& at,
                          value::FieldErrors& errors);
void check_rbd_volume(const value::Value& source, const FieldPath& at, value::FieldErrors& errors);
void check_scale_io_volume(const value::Value& source, const FieldPath& at,
                           value::FieldErrors& errors);
void check_storage_os_volume(const value::Value& source, const FieldPath& at,
                             value::FieldErrors& errors);
void check_vsphere_volume(const value::Value& source, const FieldPath& at,
                          value::FieldErrors& errors);

// Whether it can be the name of an iSCSI initiator or target. `starts_wrong` is set for one that
// begins with none of iqn, eui and naa.
bool is_iscsi_name(std::string_view name, bool& starts_wrong);
// The name of a CSI driver.
void check_csi_driver_name(std::string_view name, const FieldPath& at, value::FieldErrors& errors);

}  // namespace strake::kinds
